import type { Clock } from '../../ports/clock.ts';
import { StoreUnavailable } from '../../ports/errors.ts';
import type { ActorDocument, Counts, IdRange, Page, Query } from '../../ports/store.ts';
import type { CommitGroup, Participant } from './commit-group.ts';
import { endOfKind, startOfKind } from './document-key.ts';
import { decodeDocument } from './document-record.ts';
import type { Environment } from './environment.ts';
import { decodeFacet, encodeFacet, type Facet, facetOf } from './facet.ts';
import { FacetTable } from './facet-table.ts';
import { REFUSAL_KEY } from './older-releases.ts';
import { isHash } from './safe-key.ts';

/** The number of records that are read before other work may run. */
const READ_BATCH = 1_000;
/** A table that no query has used for this long is dropped from memory, ms. */
const TABLE_IDLE_MS = 600_000;

interface KindFacets {
  readonly kind: string;
  /** Those on disk first. */
  paths: readonly string[];
  /** How many of them are on disk. */
  indexed: number;
  /** True while `prepare` reads documents that were saved under fewer indexes. */
  indexing: boolean;
  /** The table exists from when its filling begins, so that it misses no save. */
  table: FacetTable | undefined;
  filled: Promise<void>;
  askedMs: number;
}

/**
 * Finds documents by the values at paths below their state.
 *
 * The values at a kind's indexed paths are on disk apart from its documents, and rewritten only when they change:
 * saving a counter repeatedly touches no index. The first query of a kind loads them into memory (a path that no index
 * declares is then read from the documents); filters, orders and counts run there.
 */
export class Facets implements Participant {
  readonly #environment: Environment;
  readonly #group: CommitGroup;
  readonly #clock: Clock;
  readonly #kinds = new Map<string, KindFacets>();
  /** The facets that this group put and the database does not show yet. */
  readonly #staged = new Map<string, { readonly of: KindFacets; readonly facet: Facet | null }>();
  #cancelSweep: (() => void) | undefined;

  constructor(environment: Environment, group: CommitGroup, clock: Clock) {
    this.#environment = environment;
    this.#group = group;
    this.#clock = clock;
    for (const { key, value } of environment.kinds.getRange()) {
      if (key === REFUSAL_KEY) continue;
      const paths = JSON.parse(value) as string[];
      this.#kinds.set(key, { ...this.#kind(key), paths, indexed: paths.length });
    }
    group.join(this);
  }

  /** Adds indexes to a kind. Reads existing documents once. */
  async prepare(kind: string, indexes: readonly string[]): Promise<void> {
    const of = this.#kind(kind);
    const before = of.paths.slice(0, of.indexed);
    const added = indexes.filter((path) => !before.includes(path));
    if (added.length === 0) return;
    // From here on every save stores all indexes; the loop adds them to existing documents.
    of.paths = [...before, ...added];
    of.indexed = of.paths.length;
    of.table = undefined;
    of.indexing = true;
    for (let after: string | undefined = startOfKind(kind); after !== undefined; ) {
      const from: string = after;
      after = await this.#group.write(() => this.#index(of, from), StoreUnavailable);
    }
    const paths = JSON.stringify(of.paths);
    await this.#group.write(() => void this.#environment.kinds.put(kind, paths), StoreUnavailable);
    of.indexing = false;
  }

  /** The facet that {@link put} needs, taken when the save is requested: the state may change in place afterwards. */
  of(document: ActorDocument): Facet | null {
    return facetOf(document, this.#kind(document.kind).paths);
  }

  /** In a commit group: `record` was put under `key`; `facet` is null for a tombstone. */
  put(key: string, kind: string, facet: Facet | null, record: string): void {
    const of = this.#kind(kind);
    // The paths have changed between the call and its group.
    const current = facet && facet.paths !== of.paths ? facetOf(decodeDocument(kind, record), of.paths) : facet;
    this.#keep(key, of, current);
    this.#staged.set(key, { of, facet: current });
  }

  /** The keys of all documents that match, or of the first `most`, in order. */
  async find(kind: string, query: Query, most?: number): Promise<string[]> {
    const { where = {}, orderBy = 'id' } = query;
    const table = await this.#table(kind, [...Object.keys(where), ...(orderBy === 'id' ? [] : [orderBy])]);
    return table.find(query, most);
  }

  /** The keys of the first documents that match after an id, in the order of ids. */
  async findAfter(kind: string, { where = {}, after, limit }: Page): Promise<string[]> {
    const table = await this.#table(kind, Object.keys(where));
    return table.find({ where }, limit, after);
  }

  /** Reads the ids of the range from disk and fills no table. */
  idsBetween(kind: string, { after, below, limit }: IdRange): string[] {
    const ids: string[] = [];
    const start = `${startOfKind(kind)}${after}`;
    const end = below === undefined ? endOfKind(kind) : `${startOfKind(kind)}${below}`;
    if (limit === 0) return ids;
    for (const key of this.#environment.facets.getKeys({ start, exclusiveStart: true, end })) {
      const id = key.slice(kind.length + 1);
      // The hash of a long id is in no useful order.
      if (!isHash(id)) ids.push(id);
      if (ids.length >= limit) break;
    }
    return ids;
  }

  /** Counts the documents that match for each value at `path`. */
  async countBy(kind: string, path: string, where: Query['where'] = {}): Promise<Counts> {
    const table = await this.#table(kind, [...Object.keys(where), path]);
    return table.countBy(path, where);
  }

  close(): void {
    this.#cancelSweep?.();
  }

  durable(): void {
    for (const [key, { of, facet }] of this.#staged) {
      const { table } = of;
      if (!table) continue;
      if (facet && facet.paths !== table.paths) table.set(key, this.#read(of, key, table.paths));
      else table.set(key, facet);
    }
    this.#staged.clear();
  }

  lost(): void {
    this.#staged.clear();
  }

  /** The complete table of the kind, with at least the paths asked for. */
  async #table(kind: string, asked: readonly string[]): Promise<FacetTable> {
    const of = this.#kind(kind);
    for (;;) {
      const unknown = asked.filter((path) => !of.paths.includes(path));
      if (unknown.length > 0) {
        of.paths = [...of.paths, ...new Set(unknown)];
        of.table = undefined;
      }
      if (!of.table) {
        of.table = new FacetTable(of.paths);
        of.filled = this.#fill(of, of.table);
      }
      const { table } = of;
      await of.filled;
      // Another query, or an index, may have added a path meanwhile.
      if (table !== of.table) continue;
      of.askedMs = this.#clock.monotonic();
      this.#cancelSweep ??= this.#clock.after(TABLE_IDLE_MS, () => this.#sweep());
      return table;
    }
  }

  #keep(key: string, of: KindFacets, facet: Facet | null): void {
    const { facets } = this.#environment;
    const staged = this.#staged.get(key);
    if (!facet) facets.remove(key);
    else {
      const record = encodeFacet(facet, of.indexed);
      if (staged || facets.get(key) !== record) facets.put(key, record);
    }
  }

  /** In a commit group: stores the facets of the documents after `after`; returns the last key, if any. */
  #index(of: KindFacets, after: string): string | undefined {
    let last: string | undefined;
    for (const { key, value } of this.#documents(of.kind, after)) {
      last = key;
      if (!this.#staged.has(key)) this.#keep(key, of, facetOf(decodeDocument(of.kind, value), of.paths));
    }
    return last;
  }

  async #fill(of: KindFacets, table: FacetTable): Promise<void> {
    const { facets } = this.#environment;
    const indexed = table.paths.length === of.indexed && !of.indexing;
    try {
      for (let after: string | undefined = startOfKind(of.kind); after !== undefined; ) {
        const from: string = after;
        after = undefined;
        if (this.#group.refusal) throw this.#group.refusal;
        for (const { key, value } of indexed ? this.#range(facets, of.kind, from) : this.#documents(of.kind, from)) {
          after = key;
          const facet = indexed
            ? decodeFacet(value, table.paths)
            : facetOf(decodeDocument(of.kind, value), table.paths);
          if (facet) table.fill(key, facet);
        }
        if (after !== undefined) await new Promise(setImmediate);
      }
      table.filled();
    } catch (error) {
      if (of.table === table) of.table = undefined;
      throw new StoreUnavailable('the data folder cannot be read', { cause: error });
    }
  }

  #read(of: KindFacets, key: string, paths: readonly string[]): Facet | null {
    const record = this.#environment.documents.get(key);
    return record === undefined ? null : facetOf(decodeDocument(of.kind, record), paths);
  }

  #documents(kind: string, after: string) {
    return this.#range(this.#environment.documents, kind, after);
  }

  #range(database: Environment['documents'], kind: string, after: string) {
    return database.getRange({ start: after, exclusiveStart: true, end: endOfKind(kind), limit: READ_BATCH });
  }

  #kind(kind: string): KindFacets {
    let of = this.#kinds.get(kind);
    if (!of) {
      of = { kind, paths: [], indexed: 0, indexing: false, table: undefined, filled: Promise.resolve(), askedMs: 0 };
      this.#kinds.set(kind, of);
    }
    return of;
  }

  #sweep(): void {
    this.#cancelSweep = undefined;
    const idleSinceMs = this.#clock.monotonic() - TABLE_IDLE_MS;
    let left = false;
    for (const of of this.#kinds.values()) {
      if (of.askedMs <= idleSinceMs) of.table = undefined;
      left ||= of.table !== undefined;
    }
    if (left) this.#cancelSweep = this.#clock.after(TABLE_IDLE_MS, () => this.#sweep());
  }
}
