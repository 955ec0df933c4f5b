import Type, { type Static } from 'typebox';
import type { AdjustedTrade } from '#actors/adjustment/adjustment-id';
import type { Adjustment as BookedAdjustment } from '#actors/adjustment/state';
import { Nullable, Timestamp, Uuid } from '#actors/api-schemas';
import { exactCentsOf } from '#exchange/money/cents';
import { Month } from '../source-reports/report-query.ts';

/** An adjustment as an operator sees it: billed impressions that are taken back. */
export const Adjustment = Type.Object(
  {
    id: Type.String({ description: '`<publisher>:<demand source>:<period>:<number>`.' }),
    publisher_id: Uuid,
    dsp_id: Uuid,
    campaign_id: Nullable(Uuid),
    period: { ...Month, description: 'The month in which the impressions were billed.' },
    month: { ...Month, description: 'The month on whose statements it is: the one in which it was booked, in UTC.' },
    impressions: Type.Integer({ minimum: 1 }),
    gross_cents: Type.Number({ description: 'Cents, exact, up to 7 decimals: what the demand source does not owe.' }),
    publisher_fee_cents: Type.Number({
      description:
        'Of that, exact too, the exchange’s fee, at the rates of the impressions: the publisher gives back the rest.',
    }),
    reason: Type.String({ description: 'The one that it was booked for.', examples: ['data-centre'] }),
    note: Type.String(),
    booked_by: Type.String(),
    booked_at: Timestamp,
  },
  { title: 'Adjustment' },
);
export type Adjustment = Static<typeof Adjustment>;

export function showAdjustment({ publisherId, dspId, period }: AdjustedTrade, booked: BookedAdjustment): Adjustment {
  return {
    ...{ id: booked.id, publisher_id: publisherId, dsp_id: dspId, campaign_id: booked.campaignId, period },
    month: booked.month,
    impressions: booked.impressions,
    gross_cents: exactCentsOf(BigInt(booked.grossNanos)),
    publisher_fee_cents: exactCentsOf(BigInt(booked.feeNanos)),
    ...{ reason: booked.reason, note: booked.note, booked_by: booked.by },
    booked_at: new Date(booked.bookedAtMs).toISOString(),
  };
}
