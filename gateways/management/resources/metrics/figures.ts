import Type from 'typebox';
import { type Period as AnyPeriod, PERIODS } from '../../../../actors/ledger/report/period.ts';
import { Timestamp } from '../fields.ts';

/** How figures are shown (specification, "Metrics objects"). Cents may have up to four decimals; shares are 0..1. */

const Count = Type.Integer({ minimum: 0 });
/** Figures are typed for the periods of the source reports as well, which these endpoints do not take. */
const Period = Type.Unsafe<AnyPeriod>(Type.Enum([...PERIODS]));

export const supplyFigureFields = {
  period: Period,
  impressions: Count,
  fill_rate: Type.Number(),
  /** The payout: gross less the exchange's fee. */
  revenue_cents: Type.Number(),
  ecpm_cents: Type.Number(),
  bid_requests: Count,
  p50_ms: Type.Number(),
  p95_ms: Type.Number(),
  p99_ms: Type.Number(),
};

export const demandFigureFields = {
  period: Period,
  bid_requests: Count,
  bids: Count,
  wins: Count,
  impressions: Count,
  win_rate: Type.Number(),
  spend_cents: Type.Number(),
  avg_cpm_cents: Type.Number(),
};

export const PlatformFigures = Type.Object(
  {
    period: Period,
    generated_at: Timestamp,
    auctions: Count,
    impressions: Count,
    fill_rate: Type.Number(),
    revenue_cents: Type.Number(),
    bid_requests_sent: Count,
    rps_current: Type.Number(),
    p50_ms: Type.Number(),
    p95_ms: Type.Number(),
    p99_ms: Type.Number(),
    regions: Type.Record(Type.String(), Type.Object({ rps: Type.Number(), fill_rate: Type.Number() })),
  },
  { title: 'PlatformFigures' },
);

/** `breakdown=time`: oldest first, aligned to UTC, empty buckets too. */
export const TimeSeries = Type.Object(
  {
    period: Period,
    buckets: Type.Array(Type.Object({ timestamp: Timestamp, impressions: Count, revenue_cents: Type.Number() })),
  },
  { title: 'TimeSeries' },
);
