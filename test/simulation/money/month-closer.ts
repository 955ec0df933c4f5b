import { monthOf, reportWindowOfMonth } from '#actors/ledger/report/month';
import type { ActorDocument } from '#runtime/ports/store';
import type { Member } from '#runtime/simulator/cluster';
import { finaliseMonth } from '#scheduler/billing/finalise-month';
import type { BrokenMoney } from './broken-money.ts';

export const CLOSES_EVERY_MS = 900;
const HOUR_MS = 3_600_000;

/** The job that closes months, the real one, as often as it may: as long as the process lives. */
export async function closeMonthsAt(
  { node, process, store }: Member,
  broken: BrokenMoney,
  logNowMs: () => number,
): Promise<void> {
  const parts = {
    store: broken.has('statements-wait-for-books') ? withBooksAlwaysComplete(store) : store,
    messenger: node.messenger,
  };
  for (;;) {
    await new Promise<void>((resolve) => process.after(CLOSES_EVERY_MS, resolve));
    const month = monthOf(reportWindowOfMonth(monthOf(logNowMs()))!.fromMs - HOUR_MS);
    const again = broken.has('first-freeze-stands') ? { ...parts, store: withoutKnownStatements(store) } : parts;
    await finaliseMonth(again, month).catch(() => {});
  }
}

/** Why a month is not closed yet; null once it is. */
export function monthOpenReason({ store, node }: Member, month: string): Promise<string | null> {
  return finaliseMonth({ store, messenger: node.messenger }, month).then(
    ({ incomplete, waiting }) => incomplete ?? waiting[0]?.why ?? null,
    // Asked again: an ask may time out.
    (error) => String(error),
  );
}

/** Every month from the one of `fromMs` up to and without the one of `toMs`. */
export function monthsBetween(fromMs: number, toMs: number): string[] {
  const months: string[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs = reportWindowOfMonth(monthOf(atMs))!.toMs) months.push(monthOf(atMs));
  return months;
}

/** For broken laws alone: a store that says that the books are always complete, and one that knows no statement. */
function withBooksAlwaysComplete(
  store: Member['store'],
): Pick<Member['store'], 'load' | 'page' | 'deadLetters' | 'after'> {
  return {
    after: (token) => store.after(token),
    page: (kind, page) => store.page(kind, page),
    deadLetters: (letters) => store.deadLetters(letters),
    async load(keys) {
      const documents = await store.load(keys);
      return documents.map((document) =>
        document?.kind === 'watermark' ? { ...document, state: { throughMs: Number.MAX_SAFE_INTEGER } } : document,
      );
    },
  };
}

function withoutKnownStatements(store: Member['store']): ReturnType<typeof withBooksAlwaysComplete> {
  const rash = withBooksAlwaysComplete(store);
  return {
    ...rash,
    load: async (keys) => withoutStatements(await rash.load(keys)),
    after(token) {
      const reads = store.after(token);
      return { ...reads, load: async (keys) => withoutStatements(await reads.load(keys)) };
    },
  };
}

function withoutStatements(documents: readonly (ActorDocument | null)[]): (ActorDocument | null)[] {
  return documents.map((document) => (document?.kind === 'statement' ? null : document));
}
