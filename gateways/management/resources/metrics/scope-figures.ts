import type { Static } from 'typebox';
import { dsp } from '../../../../actors/dsp/dsp.ts';
import { type LedgerSource, windowOf } from '../../../../actors/ledger/report/period.ts';
import { type PlatformFigures, platformFigures } from '../../../../actors/ledger/report/platform-report.ts';
import { countOf, sumLedgers } from '../../../../actors/ledger/report/sum.ts';
import { type TimeSeries, timeSeries } from '../../../../actors/ledger/report/time-series.ts';
import { publisher } from '../../../../actors/publisher/publisher.ts';
import type { Caller } from '../../identity/caller.ts';
import type { ManagementParts } from '../../parts.ts';
import { ownSources } from '../visible-sources.ts';
import { ledgerSources, loadLedgers } from './load-ledgers.ts';
import { defaultPeriod, type MetricsQuery, type TimedMetricsQuery } from './metrics-query.ts';

/**
 * The figures of all sources that the caller's scope is of: an account's, or one partner's of it. The whole exchange's
 * books are the operator's.
 */
export async function scopeFigures(
  parts: ManagementParts,
  caller: Caller,
  query: Static<typeof MetricsQuery>,
): Promise<PlatformFigures> {
  const { period = defaultPeriod, region = null } = query;
  const nowMs = parts.clock.now();
  const ledgersOf = async (scope: 'publisher' | 'dsp') =>
    loadLedgers(parts, await sourcesOf(scope, caller, parts), period, nowMs);
  const [supply, demand] = await Promise.all([ledgersOf('publisher'), ledgersOf('dsp')]);
  const bought = sumLedgers(demand, windowOf(period, nowMs), region);
  return { ...platformFigures(supply, period, nowMs, region), bid_requests_sent: countOf(bought, 'bidRequests') };
}

/** The same, or their time series where the caller asks for that. */
export async function scopeFiguresOrSeries(
  parts: ManagementParts,
  caller: Caller,
  query: Static<typeof TimedMetricsQuery>,
): Promise<PlatformFigures | TimeSeries> {
  const { period = defaultPeriod, region = null, breakdown } = query;
  if (breakdown !== 'time') return scopeFigures(parts, caller, query);
  const nowMs = parts.clock.now();
  const supply = await loadLedgers(parts, await sourcesOf('publisher', caller, parts), period, nowMs);
  return timeSeries(supply, period, nowMs, 'net', region);
}

/** Of all sources, archived ones and those that have left the environment too: what they did there stays there. */
async function sourcesOf(
  scope: 'publisher' | 'dsp',
  caller: Caller,
  { store }: ManagementParts,
): Promise<LedgerSource[]> {
  const kind = scope === 'publisher' ? publisher.kind : dsp.kind;
  const { documents } = await store.query(kind, { where: ownSources(caller) });
  return ledgerSources(scope, documents, caller.sandbox);
}
