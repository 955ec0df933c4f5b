import { countOf } from '#actors/ledger/report/ledger-sum';
import { type LedgerOwner, type Period, reportWindowOf } from '#actors/ledger/report/period';
import { sumByTime } from '#actors/ledger/report/sum-ledgers';
import type { ManagementDeps } from '../../deps.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';

const MINUTE_MS = 60_000;

/** The activity of a delegate, for its health: edges do not call a delegate, so there are no calls to report. */
export interface DelegateActivity {
  /** Evaluations per second, over the present minute and the one before; at least 1 when there was any. */
  readonly callsPerSecond: number;
  /**
   * The start of the newest minute (of the last 6 hours), hour (of the last day) or day with a bid, in ms since the
   * epoch.
   */
  readonly lastBidAtMs: number | null;
}

/**
 * The periods in the order in which they are read, finer pages first: most delegates that are asked for bid all the
 * time.
 */
const LOOKED_IN: readonly Period[] = ['6h', '24h', '30d'];

/**
 * Reads the activity from the demand source's ledgers, which edges update each second. Separate reports, like those for
 * called bidders, would be one message a second for each of very many delegates.
 */
export async function delegateActivity(
  deps: ManagementDeps,
  id: string,
  { sandbox, sandboxGeneration }: Pick<LedgerOwner, 'sandbox' | 'sandboxGeneration'>,
  nowMs: number,
): Promise<DelegateActivity> {
  const owner = { scope: 'dsp', id, sandbox, sandboxGeneration } as const;
  let callsPerSecond: number | null = null;
  for (const period of LOOKED_IN) {
    const ledgers = await loadLedgers(deps, [owner], period, nowMs);
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
