import type { Collection, Db, FindOptions, ReadPreferenceLike } from 'mongodb';
import type { ActorDocument, StateReads } from '../../ports/store.ts';
import { type InSession, within } from './causal-times.ts';
import { countElements, type Group } from './count-elements.ts';
import { type DeadLetterAtRest, deadLetterFromRest } from './dead-letters.ts';
import { actorsOf, type DocumentAtRest, documentFromRest, projectionOf } from './document-at-rest.ts';
import { findVersions } from './purge.ts';
import { queryFilter, querySort, statePath } from './query-filter.ts';
import {
  loadInParts,
  type ReadOptions,
  readPage,
  scanByCursor,
  scanByPages,
  tombstonesByPages,
  versionsByCursor,
  versionsByPages,
} from './read-in-parts.ts';
import { withDeadline } from './with-deadline.ts';

export interface ReadsOptions {
  readonly database: Db;
  readonly deadLetters: Collection<DeadLetterAtRest>;
  /** The deadline of each command, ms. */
  readonly timeoutMs: number;
  readonly inSession: InSession;
  /** Whether documents are scanned in pages by id instead of by one cursor. */
  readonly pages: boolean;
  readonly readPreference?: ReadPreferenceLike;
}

/** The read methods, each command in a session that sees what it must. */
export function readsOf(options: ReadsOptions): StateReads {
  const { database, deadLetters, timeoutMs, inSession, pages, readPreference } = options;
  const maxTimeMS = timeoutMs;
  const preferred = readPreference === undefined ? {} : { readPreference };
  const reading = (find: FindOptions = {}): ReadOptions => ({ timeoutMs, inSession, find: { ...preferred, ...find } });
  const bounded = <T>(what: string, work: (common: FindOptions) => Promise<T>): Promise<T> =>
    withDeadline(timeoutMs, what, () => inSession((session) => work({ ...preferred, maxTimeMS, ...within(session) })));

  return {
    async load(keys, fields) {
      const idsByKind = new Map<string, Set<string>>();
      for (const { kind, id } of keys) {
        const ids = idsByKind.get(kind);
        if (ids) ids.add(id);
        else idsByKind.set(kind, new Set([id]));
      }
      const parts = reading(fields === undefined ? {} : { projection: projectionOf(fields) });
      const load = async ([kind, ids]: [string, Set<string>]) =>
        [kind, await loadInParts(actorsOf(database, kind), kind, [...ids], parts)] as const;
      const found = new Map<string, Map<string, ActorDocument>>(await Promise.all([...idsByKind].map(load)));
      return keys.map(({ kind, id }) => found.get(kind)?.get(id) ?? null);
    },

    async query(kind, query) {
      const actors = actorsOf(database, kind);
      const filter = queryFilter(query.where);
      const { skip = 0, limit } = query;
      const sort = querySort(query);
      const [stored, total] = await Promise.all([
        limit === 0
          ? []
          : bounded('query', (common) => actors.find(filter, { ...common, sort, skip, limit: limit ?? 0 }).toArray()),
        skip === 0 && limit === undefined
          ? null
          : bounded('count', (common) => actors.countDocuments(filter, common as object)),
      ]);
      return {
        documents: stored.map((one: DocumentAtRest) => documentFromRest(kind, one)),
        total: total ?? stored.length,
      };
    },

    page: (kind, { where, after, limit }) =>
      readPage(actorsOf(database, kind), kind, queryFilter(where), { after, limit }, reading()),

    countBy: (kind, path, where) =>
      bounded('count', async (common) => {
        const grouping = { $group: { _id: `$${statePath(path)}`, count: { $sum: 1 } } };
        const pipeline = [{ $match: queryFilter(where) }, grouping];
        return countElements(
          await actorsOf(database, kind)
            .aggregate<Group>(pipeline, common as object)
            .toArray(),
        );
      }),

    find: async (kind, { where, limit, ...order }) => {
      if (limit === 0) return [];
      const found = (common: FindOptions) =>
        findVersions(actorsOf(database, kind), queryFilter(where), { ...common, sort: querySort(order), limit });
      return bounded('find', found);
    },

    idsBetween: async (kind, { after, below, limit }) => {
      if (limit === 0) return [];
      const _id = below === undefined ? { $gt: after } : { $gt: after, $lt: below };
      const stored = await bounded('ids between', (common) =>
        actorsOf(database, kind)
          .find({ deleted: false, _id }, { ...common, projection: { _id: 1 }, sort: { _id: 1 }, limit })
          .toArray(),
      );
      return stored.map((one) => one._id);
    },

    tombstones: async (kind, before, limit) => {
      if (limit === 0) return [];
      if (pages) return tombstonesByPages(actorsOf(database, kind), before, limit, reading());
      // The log's time has the same number of digits for the next two centuries, so positions compare as text.
      const filter = { deleted: true, position: { $lt: before } };
      return bounded('tombstones', (common) =>
        findVersions(actorsOf(database, kind), filter, { ...common, sort: { _id: 1 }, limit }),
      );
    },

    scan: (kind) => (pages ? scanByPages : scanByCursor)(actorsOf(database, kind), kind, reading()),

    versions: (kind) => (pages ? versionsByPages : versionsByCursor)(actorsOf(database, kind), reading()),

    deadLetters: async ({ limit, after }) => {
      if (limit === 0) return [];
      const filter = after === undefined ? {} : { _id: { $gt: after } };
      const stored = await bounded('dead letters', (common) =>
        deadLetters.find(filter, { ...common, sort: { _id: 1 }, limit }).toArray(),
      );
      return stored.map(deadLetterFromRest);
    },

    deadLetter: async (id) => {
      const stored = await bounded('dead letter', (common) => deadLetters.findOne({ _id: id }, common as object));
      return stored && deadLetterFromRest(stored);
    },
  };
}
