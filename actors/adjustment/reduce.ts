import { centsText } from '../../exchange/money/cents.ts';
import { divideHalfEven } from '../../exchange/money/half-even.ts';
import type { Context } from '../../runtime/actor/context.ts';
import type { Effects } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { monthOf } from '../ledger/report/month.ts';
import type { BookAdjustment, TradedTotals } from './messages.ts';
import type { Adjustment, AdjustmentState } from './state.ts';

/**
 * The most adjustments of one trade, so that the document can be stored and the statements that show them can be read.
 */
const MAX_ADJUSTMENTS = 200;

interface RemainingTrade {
  readonly impressions: number;
  readonly grossNanos: bigint;
  readonly feeNanos: bigint;
}

/**
 * Books an adjustment unless more would be taken back than was traded. The fee that is given back is in proportion to
 * what is left.
 */
export function bookAdjustment(
  state: AdjustmentState,
  { traded, campaignTraded, ...decided }: BookAdjustment,
  { id, nowMs }: Context,
): Effects<AdjustmentState, Adjustment> | Rejection {
  if (state.booked.length >= MAX_ADJUSTMENTS) {
    return reject('CONFLICT', `The trade has been adjusted ${MAX_ADJUSTMENTS} times already.`);
  }
  const grossNanos = BigInt(decided.grossNanos);
  const left = remainingOf(traded, state.booked);
  const ofCampaign = state.booked.filter(({ campaignId }) => campaignId === decided.campaignId);
  for (const most of [left, ...(campaignTraded === null ? [] : [remainingOf(campaignTraded, ofCampaign)])]) {
    if (decided.impressions <= most.impressions && grossNanos <= most.grossNanos) continue;
    return reject(
      'CONFLICT',
      `Only ${most.impressions} impressions of ${centsText(most.grossNanos)} cents are left of what was traded in ${state.period}.`,
    );
  }
  const feeNanos = left.grossNanos === 0n ? 0n : divideHalfEven(left.feeNanos * grossNanos, left.grossNanos);
  const booked: Adjustment = {
    id: `${id}:${state.booked.length + 1}`,
    month: monthOf(nowMs),
    ...decided,
    feeNanos: String(feeNanos),
    bookedAtMs: nowMs,
  };
  return { state: { ...state, booked: [...state.booked, booked] }, reply: booked };
}

function remainingOf(traded: TradedTotals, booked: readonly Adjustment[]): RemainingTrade {
  let { impressions } = traded;
  let grossNanos = BigInt(traded.grossNanos);
  let feeNanos = BigInt(traded.feeNanos);
  for (const one of booked) {
    impressions -= one.impressions;
    grossNanos -= BigInt(one.grossNanos);
    feeNanos -= BigInt(one.feeNanos);
  }
  return { impressions, grossNanos, feeNanos };
}
