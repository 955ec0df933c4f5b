import type { ProjectionChange, ProjectionFollower, Replica } from '../../runtime/actor/replica.ts';

/** A replica whose projections a test writes. */
export class MemoryReplica implements Replica {
  ready = true;
  readonly #projections = new Map<string, Map<string, unknown>>();
  readonly #followers = new Map<string, Set<(change: ProjectionChange) => void>>();

  get<View>(kind: string, id: string): View | undefined {
    return this.#of(kind).get(id) as View | undefined;
  }

  all<View>(kind: string): ReadonlyMap<string, View> {
    return this.#of(kind) as ReadonlyMap<string, View>;
  }

  subscribe(kind: string, changed: (change: ProjectionChange) => void): () => void {
    const followers = this.#followers.get(kind) ?? new Set();
    this.#followers.set(kind, followers.add(changed));
    for (const [id, projection] of this.#of(kind)) changed({ kind, id, projection });
    return () => followers.delete(changed);
  }

  /** Hands changes over at once and does not wait for the follower. */
  follow(kind: string, follower: ProjectionFollower): void {
    this.subscribe(kind, (change) => void follower(change));
  }

  put(kind: string, projection: { readonly id: string }): void {
    this.#of(kind).set(projection.id, projection);
    for (const changed of this.#followers.get(kind) ?? []) changed({ kind, id: projection.id, projection: projection });
  }

  remove(kind: string, id: string): void {
    this.#of(kind).delete(id);
    for (const changed of this.#followers.get(kind) ?? []) changed({ kind, id, projection: null });
  }

  #of(kind: string): Map<string, unknown> {
    const projections = this.#projections.get(kind) ?? new Map<string, unknown>();
    this.#projections.set(kind, projections);
    return projections;
  }
}
