import { facts } from '../../actors/facts/facts.ts';
import { impressionRollup } from '../../actors/impression-rollup/impression-rollup.ts';
import { ledger } from '../../actors/ledger/ledger.ts';
import { DAY_MS, dayOfLedger, utcDay } from '../../actors/ledger/ledger-id.ts';
import type { StateStore } from '../../runtime/ports/store.ts';

interface DaysDeps {
  readonly store: Pick<StateStore, 'find' | 'idsBetween'>;
  /** The number of partitions of the log: a day has at most one impression rollup of each. */
  readonly partitions: number;
}

/** Older than the books of any exchange. */
const FIRST_DAY = '2000-01-01';
/** The most days of one partition whose rollups one run looks at; the next run looks at later ones. */
const MAX_ROLLUP_DAYS = 1_000;

/**
 * The UTC days before `before` of which live ledgers, live counts or impression rollups are kept, oldest first. A day
 * may have each of them without the others: rollups alone where all that was sold was sold in the sandbox, counts where
 * nothing was billed, ledgers where campaigns may still bid.
 */
export async function* daysToArchive({ store, partitions }: DaysDeps, before: string): AsyncGenerator<string> {
  const rollupDays = await daysOfRollups({ store, partitions }, before);
  for (let from = FIRST_DAY; ; ) {
    const where = { filedUnder: { gte: `live/${from}`, lt: `live/${before}` } };
    const oldest = [rollupDays.find((day) => day >= from)];
    for (const { kind } of [ledger, facts]) {
      const [found] = await store.find(kind, { where, orderBy: 'filedUnder', limit: 1 });
      oldest.push(found && dayOfLedger(found.id));
    }
    const [day] = oldest.filter((one) => one !== undefined).sort();
    if (day === undefined) return;
    yield day;
    from = utcDay(Date.parse(day) + DAY_MS);
  }
}

async function daysOfRollups({ store, partitions }: DaysDeps, before: string): Promise<string[]> {
  const days = new Set<string>();
  for (let partition = 0; partition < partitions; partition += 1) {
    const range = { after: `${partition}:`, below: `${partition}:${before}`, limit: MAX_ROLLUP_DAYS };
    for (const id of await store.idsBetween(impressionRollup.kind, range)) days.add(id.slice(id.indexOf(':') + 1));
  }
  return [...days].sort();
}
