import type { LedgerScope } from '#actors/ledger/ledger-id';
import { readLedgerPages } from '#actors/ledger/read-ledgers';
import { reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { StateStore } from '#runtime/ports/store';
import type { Rendered } from '../exchange/renderer.ts';

/** What one source's ledgers come to. */
export interface LedgerTotals {
  readonly impressions: number;
  readonly grossNanos: bigint;
}

/** The sources of both sides of every trade. */
export interface Sources {
  readonly publishers: readonly string[];
  readonly dsps: readonly string[];
}

/** By source: what is billed, of the last 24 hours, as the store has it. */
export async function readLedgerTotals(
  store: StateStore,
  { publishers, dsps }: Sources,
  nowMs = Date.now(),
): Promise<Record<string, LedgerTotals>> {
  const books: Record<string, LedgerTotals> = {};
  for (const id of publishers) books[id] = await ledgerTotalsOf(store, 'publisher', id, nowMs);
  for (const id of dsps) books[id] = await ledgerTotalsOf(store, 'dsp', id, nowMs);
  return books;
}

/** What was rendered, by source: a publisher's and a DSP's books are the same money seen from two sides. */
export function expectedLedgerTotals(
  rendered: Iterable<Rendered>,
  { publishers, dsps }: Sources,
): Record<string, LedgerTotals> {
  const all = [...rendered];
  const expected: Record<string, LedgerTotals> = {};
  for (const id of [...publishers, ...dsps]) {
    const own = all.filter(({ publisherId, dspId }) => [publisherId, dspId].includes(id));
    const grossNanos = own.reduce((sum, { priceCpmMicros }) => sum + BigInt(priceCpmMicros), 0n);
    expected[id] = { impressions: own.length, grossNanos };
  }
  return expected;
}

async function ledgerTotalsOf(
  store: StateStore,
  scope: LedgerScope,
  whose: string,
  nowMs: number,
): Promise<LedgerTotals> {
  const window = reportWindowOf('24h', nowMs);
  const ledgers = await readLedgerPages(store, [{ scope, id: whose, sandbox: false }], window);
  const { impressions, grossNanos } = sumLedgers(ledgers, window);
  return { impressions, grossNanos };
}
