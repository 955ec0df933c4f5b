/** A change of one view. `view` is null when the actor is gone from the catalogue. */
export interface ViewChange<View = unknown> {
  readonly kind: string;
  readonly id: string;
  readonly view: View | null;
}

/** A read-only copy of every view of the chosen kinds, kept current by the catalogue log. Reads are plain memory. */
export interface Replica {
  /** True once the first snapshot is in. */
  readonly ready: boolean;
  get<View>(kind: string, id: string): View | undefined;
  all<View>(kind: string): ReadonlyMap<string, View>;
  /** Calls `changed` for every view known now and for each change after; the returned function ends it. */
  subscribe(kind: string, changed: (change: ViewChange) => void): () => void;
}
