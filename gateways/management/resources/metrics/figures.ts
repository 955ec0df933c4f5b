import Type from 'typebox';
import { Timestamp } from '#actors/api-schemas';
import { type Period as AnyPeriod, PERIODS } from '#actors/ledger/report/period';

/** The form of figures (specification, "Metrics objects"). Cents may have up to 4 decimals; shares are 0..1. */

const Count = Type.Integer({ minimum: 0 });
/** The type covers the periods of the source reports as well, which these endpoints do not accept. */
const Period = Type.Unsafe<AnyPeriod>(Type.Enum([...PERIODS]));

const FillRate = Type.Number({ description: 'Imps answered with an ad ÷ imps auctioned: 0 to 1, 0 without any.' });
const Revenue = Type.Number({ description: "Cents, up to 4 decimals: the payout, gross less the exchange's fee." });
const Milliseconds = (share: string) =>
  Type.Number({ description: `${share} of all calls took no longer, to 2 %; 0 without any.` });
const timing = { p50_ms: Milliseconds('Half'), p95_ms: Milliseconds('95 %') };
const p99_ms = Milliseconds('99 %');

export const supplyFigureFields = {
  period: Period,
  impressions: Count,
  fill_rate: FillRate,
  revenue_cents: Revenue,
  ecpm_cents: Type.Number({ description: 'Revenue ÷ impressions × 1000, in cents; 0 without impressions.' }),
  bid_requests: Type.Integer({ minimum: 0, description: 'Requests that reached the auction.' }),
  ...timing,
  p99_ms,
};

export const demandFigureFields = {
  period: Period,
  bid_requests: Type.Integer({ minimum: 0, description: 'Sent to the bidder, or evaluated for a delegate.' }),
  bids: Count,
  wins: Type.Integer({ minimum: 0, description: 'Auctions won, rendered or not.' }),
  impressions: Count,
  win_rate: Type.Number({ description: 'Wins ÷ bids: 0 to 1, 0 without bids.' }),
  spend_cents: Type.Number({ description: "Cents, up to 4 decimals, before the exchange's fee." }),
  avg_cpm_cents: Type.Number({ description: 'Spend ÷ impressions × 1000, in cents; 0 without impressions.' }),
};

export const PlatformFigures = Type.Object(
  {
    period: Period,
    generated_at: Timestamp,
    auctions: Type.Integer({ minimum: 0, description: 'Requests that reached the auction.' }),
    impressions: Count,
    fill_rate: FillRate,
    revenue_cents: Revenue,
    bid_requests_sent: Type.Integer({ minimum: 0, description: 'Sent to bidders, or evaluated for delegates.' }),
    rps_current: Type.Number({
      description: 'Auctions a second, over the last minute: what edges have told within two seconds.',
    }),
    ...timing,
    p99_ms,
    regions: Type.Record(Type.String(), Type.Object({ rps: Type.Number(), fill_rate: FillRate }), {
      description: 'By region code; whatever `region` narrows the rest to.',
    }),
  },
  {
    title: 'PlatformFigures',
    examples: [
      {
        period: '24h',
        generated_at: '2026-03-14T09:26:53.589Z',
        auctions: 5000,
        impressions: 1000,
        fill_rate: 0.25,
        revenue_cents: 212.5,
        bid_requests_sent: 15000,
        rps_current: 0.1,
        p50_ms: 41.3,
        p95_ms: 96.4,
        p99_ms: 131.2,
        regions: { fra: { rps: 0.1, fill_rate: 0.25 } },
      },
    ],
  },
);

/** The series of `breakdown=time`: the oldest bucket first, aligned to UTC, with empty buckets. */
export const TimeSeries = Type.Object(
  {
    period: Period,
    buckets: Type.Array(
      Type.Object({
        timestamp: Timestamp,
        impressions: Count,
        revenue_cents: Type.Number({
          description:
            "Cents, up to 4 decimals: the payout, gross less the exchange's fee; of a demand source its spend, before the fee.",
        }),
      }),
    ),
  },
  {
    title: 'TimeSeries',
    examples: [
      {
        period: '1h',
        buckets: [
          { timestamp: '2026-03-14T08:00:00.000Z', impressions: 600, revenue_cents: 127.5 },
          { timestamp: '2026-03-14T09:00:00.000Z', impressions: 400, revenue_cents: 85 },
        ],
      },
    ],
  },
);
