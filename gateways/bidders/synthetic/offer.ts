/** A creative as a bid shows it: its markup, its size where it has one, and its kind (OpenRTB 2.6 §4.2.3, `mtype`). */
export interface Offer {
  readonly adm: string;
  readonly mtype: 1 | 2 | 3 | 4;
  readonly w?: number;
  readonly h?: number;
  /** Seconds. */
  readonly dur?: number;
}
