import { pause } from '../../async/pause.ts';
import { backoffMs } from '../../async/retry.ts';
import { Complaints } from '../actor/complaints.ts';
import type { AnyActorDefinition } from '../actor/define-actor.ts';
import type { ProjectionChange, ProjectionFollower, Replica } from '../actor/replica.ts';
import type { ActorDocument, ActorKey, StateReads } from '../ports/store.ts';
import type { Kind } from './kind-registry.ts';
import type { NodeDeps } from './node-deps.ts';
import { upgradeDocument } from './with-upgraded-states.ts';

/** The number of entries per read: few enough that parsing them does not delay other work. */
const READ_AT_ONCE = 100;

/** The number of documents that are loaded at once after a gap. */
const LOAD_AT_ONCE = 256;

/**
 * Law 11. Reads the catalogue log's tail, takes a snapshot of the projections from the stored documents, then follows
 * the log from that tail: a change saved before the scan is in the snapshot, and a change saved after it is published
 * above the tail. Only a higher version applies, also for tombstones; a gap in the numbers means a new snapshot, for
 * which only those documents are loaded whose versions are newer than the known ones. Until then what is known serves.
 */
export class CatalogueReplica implements Replica {
  readonly #deps: NodeDeps;
  readonly #complaints: Complaints;
  readonly #kinds: Kind[];
  /** Versions by kind and id, including those of deleted actors. */
  readonly #versions = new Map<string, Map<string, number>>();
  /** Projections by kind and id, for the kinds that this replica holds. */
  readonly #projections = new Map<string, Map<string, unknown>>();
  readonly #subscribers = new Map<string, Set<(change: ProjectionChange) => void>>();
  readonly #followers = new Map<string, ProjectionFollower>();
  /** By kind: the function that compacts its projections for memory. */
  readonly #compactProjections = new Map<string, (view: unknown) => unknown>();
  #ready = false;
  #running = false;
  #firstSnapshot: (() => void) | null = null;

  constructor(deps: NodeDeps, kinds: readonly Kind[]) {
    this.#deps = deps;
    this.#complaints = new Complaints(deps);
    this.#kinds = [...kinds];
    for (const { definition } of kinds) {
      const { compactProjection } = definition;
      if (compactProjection)
        this.#compactProjections.set(definition.kind, (projection) => compactProjection.call(definition, projection));
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

  /** Stops applying changes; the read under way ends by itself. */
  stop(): void {
    this.#running = false;
    this.#complaints.close();
    this.#firstSnapshot?.();
  }

  async #loop(): Promise<void> {
    const { clock, tuning } = this.#deps;
    for (let attempt = 0; this.#running; attempt++) {
      try {
        const tail = await this.#takeSnapshot();
        attempt = 0;
        await this.#follow(tail);
      } catch (error) {
        if (!this.#running) return;
        this.#complaints.warn({ error: String(error) }, 'the catalogue cannot be followed; taking a new snapshot');
        await pause(clock, backoffMs(attempt, tuning.backoffMs));
      }
    }
  }

  async #takeSnapshot(): Promise<number> {
    const { provider, store, metrics, brokenLaws } = this.#deps;
    let tail = await provider.catalogue.tail();
    // Law 12: a server that lags behind may answer, but must have everything that was saved before the tail was read.
    const reads = brokenLaws.has('snapshot-after-token')
      ? store.after('', 'snapshot')
      : store.after(await store.latestToken(), 'snapshot');
    for (const { definition } of this.#kinds) {
      const newer = await this.#findNewer(definition.kind, reads);
      if (newer === null) await this.#scan(definition, reads);
      else await this.#load(definition, newer, reads);
    }
    if (brokenLaws.has('tail-before-snapshot')) tail = await provider.catalogue.tail();
    metrics.catalogueSnapshots.inc();
    this.#ready = true;
    this.#firstSnapshot?.();
    return tail;
  }

  /**
   * The documents of a kind that are newer than what is known, tombstones too; null when most of them are. Documents of
   * kinds with projections are never purged, so none is known that the store has not.
   */
  async #findNewer(kind: string, reads: StateReads): Promise<ActorKey[] | null> {
    const known = this.#versions.get(kind)!;
    if (known.size === 0) return null;
    const newer: ActorKey[] = [];
    let count = 0;
    for await (const part of reads.versions(kind)) {
      count += part.length;
      for (const { id, version } of part) if (version > (known.get(id) ?? 0)) newer.push({ kind, id });
    }
    return newer.length > count / 2 ? null : newer;
  }

  async #load(definition: AnyActorDefinition, keys: readonly ActorKey[], reads: StateReads): Promise<void> {
    for (let start = 0; start < keys.length && this.#running; start += LOAD_AT_ONCE) {
      for (const document of await reads.load(keys.slice(start, start + LOAD_AT_ONCE))) {
        if (document) await this.#applyDocument(definition, document);
      }
      this.#deps.metrics.catalogueDocuments.inc(Math.min(LOAD_AT_ONCE, keys.length - start));
    }
  }

  async #scan(definition: AnyActorDefinition, reads: StateReads): Promise<void> {
    let count = 0;
    for await (const document of reads.scan(definition.kind)) {
      count += 1;
      // The loop awaits only when a follower returned a promise: an await for each document would be wasteful.
      const applied = this.#applyDocument(definition, document);
      if (applied) await applied;
    }
    this.#deps.metrics.catalogueDocuments.inc(count);
  }

  /** Returns when a new snapshot is needed. */
  async #follow(tail: number): Promise<void> {
    const { provider, tuning, logger, brokenLaws } = this.#deps;
    let after = tail;
    while (this.#running) {
      const entries = await provider.catalogue.read(after, READ_AT_ONCE, tuning.readWaitMs);
      if (entries.length === 0 && !brokenLaws.has('hole-means-snapshot') && (await this.#hasDiverged(after))) {
        logger.warn({ after }, 'the catalogue was recreated; taking a new snapshot');
        return;
      }
      for (const { number, payload } of entries) {
        if (number !== after + 1 && !brokenLaws.has('hole-means-snapshot')) {
          if (after > 0) logger.warn({ after, number }, 'the catalogue has a gap; taking a new snapshot');
          return;
        }
        after = number;
        // Releases that did not version projections publish none: their schema version is 1.
        const [kind, id, version, view, schema = 1] = JSON.parse(payload) as [string, string, number, unknown, number?];
        const definition = this.#kinds.find((known) => known.definition.kind === kind)?.definition;
        if (view !== null && definition && schema < definition.schemaVersion) await this.#applyStored(definition, id);
        else {
          const applied = this.#apply(kind, id, version, view);
          if (applied) await applied;
        }
      }
    }
  }

  /**
   * Whether the log does not end at `after`. Without this check the loss of the log's last entries would go unnoticed.
   */
  async #hasDiverged(after: number): Promise<boolean> {
    const { catalogue } = this.#deps.provider;
    if ((await catalogue.tail()) === after) return false;
    // The log may only have grown since the last read.
    return (await catalogue.read(after, 1, 0)).length === 0;
  }

  /**
   * Law 7, for projections: a projection that an older program published is computed again from the stored state that
   * it came from, or a newer one.
   */
  async #applyStored(definition: AnyActorDefinition, id: string): Promise<void> {
    const [document] = await this.#deps.store.load([{ kind: definition.kind, id }]);
    if (document) await this.#applyDocument(definition, document);
  }

  #applyDocument(definition: AnyActorDefinition, document: ActorDocument): Promise<void> | undefined {
    const { id, version, deleted, state } = upgradeDocument(definition, document);
    return this.#apply(definition.kind, id, version, deleted ? null : (definition.projection?.(state, id) ?? null));
  }

  /** Applies a change if its version is higher. Returns undefined when the change is applied already. */
  #apply(kind: string, id: string, version: number, published: unknown): Promise<void> | undefined {
    const versions = this.#versions.get(kind);
    if (!versions || !this.#running) return undefined;
    const before = versions.get(id);
    if (before !== undefined && before >= version && !this.#deps.brokenLaws.has('higher-versions-only')) {
      return undefined;
    }
    versions.set(id, version);
    const follower = this.#followers.get(kind);
    if (follower) return this.#handOver(follower, { kind, id, projection: published });
    const projection = published === null ? null : (this.#compactProjections.get(kind)?.(published) ?? published);
    const projections = this.#projections.get(kind)!;
    if (projection === null) projections.delete(id);
    else projections.set(id, projection);
    for (const changed of this.#subscribers.get(kind) ?? []) {
      try {
        changed({ kind, id, projection });
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
