import Type from 'typebox';
import { dsp } from '../../../../actors/dsp/dsp.ts';
import { windowOf } from '../../../../actors/ledger/report/period.ts';
import { platformFigures } from '../../../../actors/ledger/report/platform-report.ts';
import { countOf, sumLedgers } from '../../../../actors/ledger/report/sum.ts';
import { timeSeries } from '../../../../actors/ledger/report/time-series.ts';
import { publisher } from '../../../../actors/publisher/publisher.ts';
import type { Caller } from '../../identity/caller.ts';
import type { ManagementParts } from '../../parts.ts';
import { defineRoute } from '../../routing/route.ts';
import { PlatformFigures, TimeSeries } from './figures.ts';
import { type Books, loadLedgers } from './load-ledgers.ts';
import { defaultPeriod, TimedMetricsQuery } from './metrics-query.ts';

/** An account sees the sum of its own sources, a partner of its own; the whole exchange's books are the operator's. */
export const platformMetrics = defineRoute({
  method: 'GET',
  path: '/api/metrics',
  tag: 'Metrics',
  summary: 'Read what all sources of the account, or of the partner, sold',
  access: 'account',
  query: TimedMetricsQuery,
  answer: { status: 200, schema: Type.Union([PlatformFigures, TimeSeries]) },
  async handle({ query: { period = defaultPeriod, region = null, breakdown }, caller, parts }) {
    const nowMs = parts.clock.now();
    const supply = await loadLedgers(parts, await booksOf('publisher', caller, parts), period, nowMs);
    if (breakdown === 'time') return timeSeries(supply, period, nowMs, 'net', region);
    const demand = await loadLedgers(parts, await booksOf('dsp', caller, parts), period, nowMs);
    const bought = sumLedgers(demand, windowOf(period, nowMs), region);
    return {
      ...platformFigures(supply, period, nowMs, region),
      bid_requests_sent: countOf(bought, 'bidRequests'),
    };
  },
});

/** Of all sources, archived ones and those that have left the environment too: what they did there stays there. */
async function booksOf(scope: Books['scope'], caller: Caller, { store }: ManagementParts): Promise<Books> {
  const { accountId, partnerId, sandbox } = caller;
  const kind = scope === 'publisher' ? publisher.kind : dsp.kind;
  const { documents } = await store.query(kind, { where: { accountId, ...(partnerId === null ? {} : { partnerId }) } });
  return { scope, ids: documents.map(({ id }) => id), sandbox };
}
