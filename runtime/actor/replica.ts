/** A change of one view. `view` is null when the actor is gone from the catalogue. */
export interface ProjectionChange<View = unknown> {
  readonly kind: string;
  readonly id: string;
  readonly projection: View | null;
}

/** A read-only copy of every view of the chosen kinds, kept current by the catalogue log. Reads are plain memory. */
export interface Replica {
  /** True once the first snapshot is in, and those who follow have taken it in. */
  readonly ready: boolean;
  get<View>(kind: string, id: string): View | undefined;
  all<View>(kind: string): ReadonlyMap<string, View>;
  /** Calls `changed` for every view known now and for each change after; the returned function ends it. */
  subscribe(kind: string, changed: (change: ProjectionChange) => void): () => void;
  /**
   * Hands every view of a kind over instead of holding it: those of the first snapshot, then each change, each version once
   * and in its order. Of a followed kind the replica remembers only which version of what has been handed over, so `get`,
   * `all` and `subscribe` know nothing of it. Before the start, and by one follower for a kind.
   */
  follow(kind: string, follower: ProjectionFollower): void;
}

/**
 * Takes a change in. With a promise the replica waits until it resolves before it reads on, so that a follower with much to
 * do can do it in slices, and nothing piles up in between. Must not fail: what it fails to take in is not handed over again.
 */
export type ProjectionFollower = (change: ProjectionChange) => void | Promise<void>;
