import { countOf } from '../../../../actors/ledger/report/ledger-sum.ts';
import { type LedgerOwner, type Period, reportWindowOf } from '../../../../actors/ledger/report/period.ts';
import { sumByTime } from '../../../../actors/ledger/report/sum-ledgers.ts';
import type { ManagementDeps } from '../../deps.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';

const MINUTE_MS = 60_000;

/** What health says of a delegate, which no edge calls. */
export interface DelegateActivity {
  /** Evaluations a second, over the minute under way and the one before; at least 1 where there was any. */
  readonly callsPerSecond: number;
  /** The start of the newest minute (of the last six hours), hour (of the last day) or day with a bid; ms since the epoch. */
  readonly lastBidAtMs: number | null;
}

/** Finer books first: most delegates that are asked about bid all the time. */
const LOOKED_IN: readonly Period[] = ['6h', '24h', '30d'];

/**
 * From the demand source's books, which edges tell each second: reports of their own, as of bidders that are called, would be a
 * message a second for each of very many delegates.
 */
export async function delegateActivity(
  parts: ManagementDeps,
  id: string,
  { sandbox, sandboxGeneration }: Pick<LedgerOwner, 'sandbox' | 'sandboxGeneration'>,
  nowMs: number,
): Promise<DelegateActivity> {
  const books = { scope: 'dsp', id, sandbox, sandboxGeneration } as const;
  let callsPerSecond: number | null = null;
  for (const period of LOOKED_IN) {
    const ledgers = await loadLedgers(parts, [books], period, nowMs);
    const window = reportWindowOf(period, nowMs);
    const pages = [...sumByTime(ledgers, window, window.grain.lengthMs)].reverse();
    callsPerSecond ??= rateOf(
      pages.slice(0, 2).map(([, sum]) => countOf(sum, 'bidRequests')),
      nowMs,
    );
    const last = pages.find(([, sum]) => countOf(sum, 'bids') > 0);
    if (last !== undefined) return { callsPerSecond, lastBidAtMs: last[0] };
  }
  return { callsPerSecond: callsPerSecond ?? 0, lastBidAtMs: null };
}

function rateOf(counts: readonly number[], nowMs: number): number {
  const evaluated = counts.reduce((sum, count) => sum + count, 0);
  return evaluated === 0 ? 0 : Math.max(1, Math.round((evaluated * 1000) / (MINUTE_MS + (nowMs % MINUTE_MS))));
}
