/** What an edge knows of a pool. */
export interface PoolView {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Whole micro-dollars CPM. */
  readonly floorCpmMicros: number;
}
