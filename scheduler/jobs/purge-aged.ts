import { DAY_MS } from '../../actors/ledger/ledger-id.ts';
import { positionOf } from '../../runtime/ports/position.ts';
import type { FoundDocument, StateStore } from '../../runtime/ports/store.ts';
import type { Job } from '../job.ts';
import type { AgedKind } from '../retention/aged-kinds.ts';

/** Of a batch. */
export const AT_A_TIME = 500;

/** Deletes what the retention table says is old enough, in small batches, so that nobody waits for it. */
export function purgeAged(parts: {
  readonly store: Pick<StateStore, 'find' | 'tombstones' | 'purge'>;
  readonly kinds: readonly AgedKind[];
}): Job {
  const { store, kinds } = parts;
  return {
    name: 'purge-aged',
    purpose:
      'Deletes for good what is kept for a time only: feed pages, auction records, deliveries, ended sessions, sandbox books.',
    cron: '20 * * * *',
    missed: 'newest',
    async run({ dueMs, signal }) {
      const purged = new Map<string, number>();
      for (const { of, path, isBefore, keepDays, tombstones } of kinds) {
        const beforeMs = dueMs - keepDays * DAY_MS;
        const where = { [path]: isBefore(beforeMs) };
        const old = () => store.find(of.kind, { where, orderBy: path, limit: AT_A_TIME });
        let count = await purgeAll(store, of.kind, old, signal);
        if (tombstones) {
          const before = positionOf(beforeMs, 0);
          count += await purgeAll(store, of.kind, () => store.tombstones(of.kind, before, AT_A_TIME), signal);
        }
        if (count > 0) purged.set(of.kind, count);
      }
      return [...purged].map(([kind, count]) => `${count} of ${kind}`).join(', ') || 'nothing was old enough';
    },
  };
}

/** Deletes what `old` finds, a batch at a time, until it finds no more; resolves with how many. */
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
    // None of them: all have changed since, and are not old any more, or another process was faster.
    if (found.length < AT_A_TIME || purged === 0) return count;
  }
}
