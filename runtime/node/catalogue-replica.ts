import { pause } from '../../async/pause.ts';
import { backoffMs } from '../../async/retry.ts';
import type { AnyActorDefinition } from '../actor/define-actor.ts';
import type { ProjectionChange, ProjectionFollower, Replica } from '../actor/replica.ts';
import type { ActorDocument } from '../ports/store.ts';
import type { Kind } from './kind-registry.ts';
import type { NodeDeps } from './node-deps.ts';
import { upgradeDocument } from './with-upgraded-states.ts';

/** Entries read at once: few enough that reading them from JSON keeps nobody waiting. */
const READ_AT_ONCE = 100;

/**
 * Law 11. Notes the catalogue log's tail, takes a snapshot of the views from the stored documents, then follows from
 * that tail: a change saved before the scan is in the snapshot, one saved after is published above the tail. Only a
 * higher version applies, tombstones too; a hole in the numbers means a new snapshot.
 */
export class CatalogueReplica implements Replica {
  readonly #deps: NodeDeps;
  readonly #kinds: Kind[];
  /** By kind and id; of what is gone too. */
  readonly #versions = new Map<string, Map<string, number>>();
  /** By kind and id, of the kinds that are held. */
  readonly #projections = new Map<string, Map<string, unknown>>();
  readonly #subscribers = new Map<string, Set<(change: ProjectionChange) => void>>();
  readonly #followers = new Map<string, ProjectionFollower>();
  /** By kind: how its views are kept in memory. */
  readonly #compactProjections = new Map<string, (view: unknown) => unknown>();
  #ready = false;
  #running = false;
  #firstSnapshot: (() => void) | null = null;

  constructor(parts: NodeDeps, kinds: readonly Kind[]) {
    this.#deps = parts;
    this.#kinds = [...kinds];
    for (const { definition } of kinds) {
      const { compactProjection: held } = definition;
      if (held) this.#compactProjections.set(definition.kind, (view) => held.call(definition, view));
      this.#versions.set(definition.kind, new Map());
      this.#projections.set(definition.kind, new Map());
    }
  }

  get ready(): boolean {
    return this.#ready;
  }

  get<View>(kind: string, id: string): View | undefined {
    return this.#projections.get(kind)?.get(id) as View | undefined;
  }

  all<View>(kind: string): ReadonlyMap<string, View> {
    return (this.#projections.get(kind) ?? new Map()) as ReadonlyMap<string, View>;
  }

  subscribe(kind: string, changed: (change: ProjectionChange) => void): () => void {
    const subscribers = this.#subscribers.get(kind) ?? new Set();
    this.#subscribers.set(kind, subscribers);
    subscribers.add(changed);
    for (const [id, view] of this.all(kind)) changed({ kind, id, projection: view });
    return () => subscribers.delete(changed);
  }

  follow(kind: string, follower: ProjectionFollower): void {
    if (this.#running || this.#ready) throw new Error(`${kind} is followed from the start or not at all`);
    if (this.#versions.has(kind)) throw new Error(`${kind} is held or followed already`);
    this.#kinds.push(this.#deps.kinds.named(kind));
    this.#versions.set(kind, new Map());
    this.#followers.set(kind, follower);
  }

  /** Resolves when the first snapshot is in. */
  start(): Promise<void> {
    if (this.#kinds.length === 0) {
      this.#ready = true;
      return Promise.resolve();
    }
    this.#running = true;
    const first = new Promise<void>((resolve) => {
      this.#firstSnapshot = resolve;
    });
    void this.#loop();
    return first;
  }

  /** Nothing changes any more; the read under way ends by itself. */
  stop(): void {
    this.#running = false;
    this.#firstSnapshot?.();
  }

  async #loop(): Promise<void> {
    const { clock, tuning, logger } = this.#deps;
    for (let attempt = 0; this.#running; attempt++) {
      try {
        const tail = await this.#takeSnapshot();
        attempt = 0;
        await this.#follow(tail);
      } catch (error) {
        if (!this.#running) return;
        logger.warn({ error: String(error) }, 'the catalogue cannot be followed; taking a new snapshot');
        await pause(clock, backoffMs(attempt, tuning.backoffMs));
      }
    }
  }

  async #takeSnapshot(): Promise<number> {
    const { provider, store, metrics, brokenLaws } = this.#deps;
    let tail = await provider.catalogue.tail();
    // Law 12: a server that lags behind may answer, but not with what stood before the tail.
    const reads = brokenLaws.has('snapshot-after-token')
      ? store.after('', 'snapshot')
      : store.after(await store.latestToken(), 'snapshot');
    for (const { definition } of this.#kinds) {
      for await (const document of reads.scan(definition.kind)) {
        // Only where a follower needs its time: a step for each document would be one for nothing.
        const takenIn = this.#applyDocument(definition, document);
        if (takenIn) await takenIn;
      }
    }
    if (brokenLaws.has('tail-before-snapshot')) tail = await provider.catalogue.tail();
    metrics.catalogueSnapshots.inc();
    this.#ready = true;
    this.#firstSnapshot?.();
    return tail;
  }

  /** Returns when a new snapshot is needed. */
  async #follow(tail: number): Promise<void> {
    const { provider, tuning, logger, brokenLaws } = this.#deps;
    let after = tail;
    while (this.#running) {
      const entries = await provider.catalogue.read(after, READ_AT_ONCE, tuning.readWaitMs);
      if (entries.length === 0 && !brokenLaws.has('hole-means-snapshot') && (await this.#hasDiverged(after))) {
        logger.warn({ after }, 'the catalogue was made anew; taking a new snapshot');
        return;
      }
      for (const { number, payload } of entries) {
        if (number !== after + 1 && !brokenLaws.has('hole-means-snapshot')) {
          if (after > 0) logger.warn({ after, number }, 'the catalogue has a hole; taking a new snapshot');
          return;
        }
        after = number;
        // Programs from before views had one told none: theirs is the first.
        const [kind, id, version, view, schema = 1] = JSON.parse(payload) as [string, string, number, unknown, number?];
        const definition = this.#kinds.find((known) => known.definition.kind === kind)?.definition;
        if (view !== null && definition && schema < definition.schemaVersion) await this.#applyStored(definition, id);
        else {
          const takenIn = this.#apply(kind, id, version, view);
          if (takenIn) await takenIn;
        }
      }
    }
  }

  /** Whether the log ends elsewhere than at `after`: what a log lost with its last entries nobody else would tell. */
  async #hasDiverged(after: number): Promise<boolean> {
    const { catalogue } = this.#deps.provider;
    if ((await catalogue.tail()) === after) return false;
    // It may only have grown meanwhile.
    return (await catalogue.read(after, 1, 0)).length === 0;
  }

  /** Law 7, of views: one that an older program has told is made anew from the state that it was made of, or a newer one. */
  async #applyStored(definition: AnyActorDefinition, id: string): Promise<void> {
    const [document] = await this.#deps.store.load([{ kind: definition.kind, id }]);
    if (document) await this.#applyDocument(definition, document);
  }

  #applyDocument(definition: AnyActorDefinition, document: ActorDocument): Promise<void> | undefined {
    const { id, version, deleted, state } = upgradeDocument(definition, document);
    return this.#apply(definition.kind, id, version, deleted ? null : (definition.projection?.(state, id) ?? null));
  }

  /** Undefined when the change is taken in already. */
  #apply(kind: string, id: string, version: number, told: unknown): Promise<void> | undefined {
    const versions = this.#versions.get(kind);
    if (!versions || !this.#running) return undefined;
    const before = versions.get(id);
    if (before !== undefined && before >= version && !this.#deps.brokenLaws.has('higher-versions-only')) {
      return undefined;
    }
    versions.set(id, version);
    const follower = this.#followers.get(kind);
    if (follower) return this.#handOver(follower, { kind, id, projection: told });
    const view = told === null ? null : (this.#compactProjections.get(kind)?.(told) ?? told);
    const views = this.#projections.get(kind)!;
    if (view === null) views.delete(id);
    else views.set(id, view);
    for (const changed of this.#subscribers.get(kind) ?? []) {
      try {
        changed({ kind, id, projection: view });
      } catch (error) {
        this.#deps.logger.error({ kind, id, error: String(error) }, 'a follower of the catalogue failed');
      }
    }
    return undefined;
  }

  #handOver(follower: ProjectionFollower, change: ProjectionChange): Promise<void> | undefined {
    const failed = (error: unknown) => {
      const { kind, id } = change;
      this.#deps.logger.error({ kind, id, error: String(error) }, 'a follower of the catalogue failed');
    };
    try {
      return follower(change)?.catch(failed);
    } catch (error) {
      failed(error);
      return undefined;
    }
  }
}
