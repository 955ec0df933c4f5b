import { watermark } from '#actors/watermark/watermark';
import { passBarrier } from '#runtime/node/log-barrier';
import type { Member } from '#runtime/simulator/cluster';
import { fileLedgerHours } from '#scheduler/jobs/file-ledger-hours';
import type { BrokenMoney } from './broken-money.ts';
import type { CornerCaseCounts } from './corner-case-counts.ts';

const FILES_EVERY_MS = 1_100;

/** The job that files hours, the real one, as often as it may: as long as the process lives. */
export async function fileHoursAt(
  { node, process, log, store }: Member,
  broken: BrokenMoney,
  corners: CornerCaseCounts,
  logNowMs: () => number,
): Promise<void> {
  const job = fileLedgerHours({
    store: broken.has('hours-close-behind-books') ? withBooksOfNow(store, logNowMs) : store,
    messenger: node.messenger,
    passBarrier: (signal) => passBarrier({ log: log.log, leases: log.leases, clock: process, signal }),
    figures: { hoursFiled: () => {} },
  });
  for (;;) {
    await new Promise<void>((resolve) => process.after(FILES_EVERY_MS, resolve));
    const { signal } = new AbortController();
    const done = await job.run({ dueMs: 0, nowMs: logNowMs(), signal }).catch(() => null);
    const [filed, purged] =
      /: (\d+) hours filed, (\d+) deleted/
        .exec(done ?? '')
        ?.slice(1)
        .map(Number) ?? [];
    corners.count('ledgers of hours are filed', filed);
    corners.count('ledgers of hours are deleted', purged);
  }
}

/** For a broken law alone: the books are said to be complete through the hour that is under way. */
function withBooksOfNow(
  store: Member['store'],
  logNowMs: () => number,
): Parameters<typeof fileLedgerHours>[0]['store'] {
  return {
    find: (kind, query) => store.find(kind, query),
    purge: (kind, found) => store.purge(kind, found),
    deadLetters: (letters) => store.deadLetters(letters),
    after: (token) => store.after(token),
    async load(keys) {
      const documents = await store.load(keys);
      const throughMs = logNowMs() + 3_900_000;
      return documents.map((document, index) =>
        document === null || keys[index]!.kind !== watermark.kind || keys[index]!.id !== 'books'
          ? document
          : { ...document, state: { throughMs } },
      );
    },
  };
}
