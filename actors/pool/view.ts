/** What an edge knows of a pool. */
export interface PoolView {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Whole micro-dollars CPM. */
  readonly floorCpmMicros: number;
  /** Whether live sources must be verified; absent in projections of older releases. */
  readonly requireVerified?: boolean;
}
