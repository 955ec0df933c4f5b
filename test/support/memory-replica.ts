import type { ProjectionChange, ProjectionFollower, Replica } from '../../runtime/actor/replica.ts';

/** A replica whose views a test writes itself. */
export class MemoryReplica implements Replica {
  ready = true;
  readonly #views = new Map<string, Map<string, unknown>>();
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
    for (const [id, view] of this.#of(kind)) changed({ kind, id, projection: view });
    return () => followers.delete(changed);
  }

  /** Hands over at once; a follower that takes its time is not waited for. */
  follow(kind: string, follower: ProjectionFollower): void {
    this.subscribe(kind, (change) => void follower(change));
  }

  put(kind: string, view: { readonly id: string }): void {
    this.#of(kind).set(view.id, view);
    for (const changed of this.#followers.get(kind) ?? []) changed({ kind, id: view.id, projection: view });
  }

  remove(kind: string, id: string): void {
    this.#of(kind).delete(id);
    for (const changed of this.#followers.get(kind) ?? []) changed({ kind, id, projection: null });
  }

  #of(kind: string): Map<string, unknown> {
    const views = this.#views.get(kind) ?? new Map<string, unknown>();
    this.#views.set(kind, views);
    return views;
  }
}
