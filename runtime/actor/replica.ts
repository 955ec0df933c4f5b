/** A change of one projection. `projection` is null when the actor has left the catalogue. */
export interface ProjectionChange<View = unknown> {
  readonly kind: string;
  readonly id: string;
  readonly projection: View | null;
}

/**
 * A read-only copy of every projection of the chosen kinds, kept current by the catalogue log. Reads only access
 * memory.
 */
export interface Replica {
  /** True once the first snapshot is loaded and every follower has processed it. */
  readonly ready: boolean;
  get<View>(kind: string, id: string): View | undefined;
  all<View>(kind: string): ReadonlyMap<string, View>;
  /** Calls `changed` for every projection known now and for each later change; the returned function unsubscribes. */
  subscribe(kind: string, changed: (change: ProjectionChange) => void): () => void;
  /**
   * Hands every projection of a kind to `follower` instead of holding it: first those of the first snapshot, then each
   * change, each version once and in order. For a followed kind the replica remembers only which versions were handed
   * over, so `get`, `all` and `subscribe` return nothing for it. Must be called before the start, and once per kind.
   */
  follow(kind: string, follower: ProjectionFollower): void;
}

/**
 * Processes one change. When it returns a promise, the replica waits for it before it reads on, so that a follower with
 * much work can split it into slices and no changes pile up meanwhile. Must not fail: a change that it fails to process
 * is not handed over again.
 */
export type ProjectionFollower = (change: ProjectionChange) => void | Promise<void>;
