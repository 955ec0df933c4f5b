import { DAY_MS } from '../../actors/ledger/ledger-id.ts';
import { positionOf } from '../../runtime/ports/position.ts';
import type { FoundDocument, IdRange, StateStore } from '../../runtime/ports/store.ts';
import type { AgeById, AgeByPath, AgeByTimedId, AgedKind } from '../aged-kinds.ts';
import type { Job } from '../job.ts';

/** The most documents of one batch. */
export const PURGE_BATCH_SIZE = 500;

type AgingStore = Pick<StateStore, 'find' | 'idsBetween' | 'load' | 'tombstones' | 'purge'>;

/**
 * Deletes the documents that the retention table calls old enough, in small batches, so that no other request waits for
 * it.
 */
export function purgeAged(deps: { readonly store: AgingStore; readonly kinds: readonly AgedKind[] }): Job {
  const { store, kinds } = deps;
  return {
    name: 'purge-aged',
    purpose:
      'Deletes for good what is kept for a time only: feed pages, auction records, deliveries, ended sessions, sandbox books.',
    cron: '20 * * * *',
    missed: 'newest',
    async run({ dueMs, signal }) {
      const purged = new Map<string, number>();
      for (const { of, age, keepDays, tombstones } of kinds) {
        const beforeMs = dueMs - keepDays * DAY_MS;
        let count = await purgeOld(store, of.kind, age, beforeMs, signal);
        if (tombstones) {
          const before = positionOf(beforeMs, 0);
          count += await purgeAll(store, of.kind, () => store.tombstones(of.kind, before, PURGE_BATCH_SIZE), signal);
        }
        if (count > 0) purged.set(of.kind, count);
      }
      return [...purged].map(([kind, count]) => `${count} of ${kind}`).join(', ') || 'nothing was old enough';
    },
  };
}

function purgeOld(
  store: AgingStore,
  kind: string,
  age: AgedKind['age'],
  beforeMs: number,
  signal: AbortSignal,
): Promise<number> {
  if ('path' in age) return purgeByPath(store, kind, age, beforeMs, signal);
  if ('below' in age) return purgeByTimedId(store, kind, age, beforeMs, signal);
  return purgeById(store, kind, age, beforeMs, signal);
}

function purgeByPath(
  store: AgingStore,
  kind: string,
  { path, isBefore }: AgeByPath,
  beforeMs: number,
  signal: AbortSignal,
): Promise<number> {
  const where = { [path]: isBefore(beforeMs) };
  return purgeAll(store, kind, () => store.find(kind, { where, orderBy: path, limit: PURGE_BATCH_SIZE }), signal);
}

function purgeByTimedId(
  store: AgingStore,
  kind: string,
  { below }: AgeByTimedId,
  beforeMs: number,
  signal: AbortSignal,
): Promise<number> {
  return purgeBetween(store, kind, { after: '', below: below(beforeMs) }, signal);
}

/** Walks from series to series by the first id of each. */
async function purgeById(
  store: AgingStore,
  kind: string,
  { seriesOf, from }: AgeById,
  beforeMs: number,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const [first] = await store.idsBetween(kind, { after, limit: 1 });
    if (first === undefined) return count;
    const series = seriesOf(first);
    count += await purgeBetween(store, kind, { after: `${series}:`, below: from(series, beforeMs) }, signal);
    // `;` is the character after `:`.
    after = `${series};`;
  }
}

function purgeBetween(
  store: AgingStore,
  kind: string,
  between: Omit<IdRange, 'limit'>,
  signal: AbortSignal,
): Promise<number> {
  const range = { ...between, limit: PURGE_BATCH_SIZE };
  const old = async () => versionsOf(store, kind, await store.idsBetween(kind, range));
  return purgeAll(store, kind, old, signal);
}

/** The versions of documents; those that are gone are left out. */
export async function versionsOf(
  store: Pick<StateStore, 'load'>,
  kind: string,
  ids: readonly string[],
): Promise<FoundDocument[]> {
  const keys = ids.map((id) => ({ kind, id }));
  const documents = await store.load(keys, []);
  return documents.flatMap((document) => (document ? [{ id: document.id, version: document.version }] : []));
}

/**
 * Deletes what `old` finds, one batch at a time, until it finds no more; resolves with the number of deleted documents.
 */
export async function purgeAll(
  store: Pick<StateStore, 'purge'>,
  kind: string,
  old: () => Promise<FoundDocument[]>,
  signal: AbortSignal,
): Promise<number> {
  for (let count = 0; ; ) {
    signal.throwIfAborted();
    const found = await old();
    const purged = found.length === 0 ? 0 : await store.purge(kind, found);
    count += purged;
    // When a batch deletes none, all have changed since and are not old any more, or another process was faster.
    if (found.length < PURGE_BATCH_SIZE || purged === 0) return count;
  }
}
