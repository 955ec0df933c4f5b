import Type, { type Static } from 'typebox';
import { Nullable } from '#actors/api-schemas';
import type { FunnelLoss } from '#actors/ledger/report/demand-funnel';
import { explainReason } from '#exchange/auction/explain-reason';

/** A step of a funnel that some requests did not pass, with the reasons. */
export const FunnelReasons = Type.Object({
  total: Type.Integer({ minimum: 0 }),
  reasons: Type.Array(
    Type.Object({
      reason: Type.String(),
      count: Type.Integer({ minimum: 1 }),
      description: Type.String(),
      loss_code: Nullable(
        Type.Integer({
          description: 'What AUCTION_LOSS says in a loss notice (OpenRTB 2.5, List 5.25); null where no bid was lost.',
        }),
      ),
      non_bid_status: Nullable(Type.Integer({ description: "Of the IAB's seat-non-bid extension." })),
    }),
    { description: 'The most frequent first.' },
  ),
});

export function showReasons({ total, reasons }: FunnelLoss): Static<typeof FunnelReasons> {
  return {
    total,
    reasons: reasons.map(({ reason, count }) => {
      const { words, lossCode, nonBidStatus } = explainReason(reason);
      return { reason, count, description: words, loss_code: lossCode, non_bid_status: nonBidStatus };
    }),
  };
}
