import type { Adjustment, AdjustmentState } from '#actors/adjustment/state';
import { instant } from './row-fields.ts';

type Trade = Omit<AdjustmentState, 'booked'>;

/**
 * An adjustment as a row of one side. Its figures are below 0, so that the sums of a month's impressions and
 * adjustments are the month's statement after adjustments.
 */
export function adjustmentRow(side: 'publisher' | 'dsp', trade: Trade, booked: Adjustment): string {
  const { publisherId, dspId, period } = trade;
  const [gross, fee] = [BigInt(booked.grossNanos), BigInt(booked.feeNanos)];
  const fields = JSON.stringify({
    adjustment_id: booked.id,
    booked_at: instant(booked.bookedAtMs),
    month: booked.month,
    period,
    publisher_id: publisherId,
    dsp_id: dspId,
    ...(side === 'dsp' ? { campaign_id: booked.campaignId } : {}),
    reason: booked.reason,
    currency: 'USD',
    impressions: -booked.impressions,
  });
  // A month's sum may be more than a double holds; JSON's numbers have no bound.
  const money =
    side === 'dsp' ? { price_nanos: -gross } : { price_nanos: -gross, fee_nanos: -fee, payout_nanos: fee - gross };
  const stated = Object.entries(money).map(([name, nanos]) => `"${name}":${nanos}`);
  return `${fields.slice(0, -1)},${stated.join(',')}}`;
}
