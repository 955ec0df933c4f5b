import type { Static } from 'typebox';
import { countOf } from '#actors/ledger/report/ledger-sum';
import { reportWindowOf } from '#actors/ledger/report/period';
import { type PlatformFigures, platformFigures } from '#actors/ledger/report/platform-report';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { type TimeSeries, timeSeries } from '#actors/ledger/report/time-series';
import { auctionsPerSecond } from '#gateways/live/live-figures';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { defaultPeriod, type MetricsQuery, type TimedMetricsQuery } from './metrics-query.ts';
import { loadScopeLedgers } from './scope-ledgers.ts';

/**
 * The figures of all sources in the caller's scope: of an account, or of one of its partners. Only operators may read
 * the ledgers of the whole exchange. Rates are the present ones, as the edges report them.
 */
export async function scopeFigures(
  deps: ManagementDeps,
  caller: Caller,
  query: Static<typeof MetricsQuery>,
): Promise<PlatformFigures> {
  const { period = defaultPeriod, region = null } = query;
  const nowMs = deps.clock.now();
  const window = reportWindowOf(period, nowMs);
  const [{ supply, demand }, minute] = await Promise.all([
    loadScopeLedgers(deps, caller, window),
    deps.live.lastMinute(caller),
  ]);
  const rates = new Map([...minute.regions].map(([name, counts]) => [name, auctionsPerSecond(counts, minute)]));
  const figures = platformFigures(supply, period, nowMs, rates, region);
  const bidRequests = countOf(sumLedgers(demand, window, region), 'bidRequests');
  return { ...figures, bid_requests_sent: figures.bid_requests_sent + bidRequests };
}

/** The same figures, or their time series when the caller asks for it. */
export async function scopeFiguresOrSeries(
  deps: ManagementDeps,
  caller: Caller,
  query: Static<typeof TimedMetricsQuery>,
): Promise<PlatformFigures | TimeSeries> {
  const { period = defaultPeriod, region = null, breakdown } = query;
  if (breakdown !== 'time') return scopeFigures(deps, caller, query);
  const nowMs = deps.clock.now();
  const { supply } = await loadScopeLedgers(deps, caller, reportWindowOf(period, nowMs));
  return timeSeries(supply, period, nowMs, 'net', region);
}
