import Type, { type Static } from 'typebox';
import { Nullable } from '#actors/api-schemas';
import { PARTICIPATION_OUTCOMES } from '#actors/auction-record/record';
import { explainReason } from '#exchange/auction/explain-reason';
import { remedyOf } from '#exchange/auction/reason-remedies';
import type { ManagementDeps } from '../../deps.ts';
import { auctionKind, type Where } from './query.ts';

export const countedReasons = Type.Object({
  auctions: Type.Integer({ description: 'How many recorded auctions were looked at.' }),
  reasons: Type.Array(
    Type.Object({
      reason: Type.String(),
      auctions: Type.Integer(),
      why: Type.String(),
      remedy: Nullable(Type.String({ description: 'The fields or settings that would change it.' })),
      loss_code: Nullable(
        Type.Integer({
          description: 'The loss reason code of loss notices (OpenRTB); null where no bid was lost.',
        }),
      ),
      non_bid_status: Nullable(Type.Integer({ description: "The IAB's seat-non-bid status code." })),
    }),
  ),
});

/**
 * Counts how often each reason occurs in the auctions that `where` finds, the most frequent first: in whole auctions,
 * or only in the participation of the demand source that `mark` belongs to.
 */
export async function countReasons(
  { store }: Pick<ManagementDeps, 'store'>,
  where: Where,
  mark: ((outcomeOrReason?: string) => string) | null,
): Promise<Static<typeof countedReasons>> {
  const { total } = await store.query(auctionKind, { where, limit: 1 });
  const counts = await store.countBy(auctionKind, mark === null ? 'reasons' : 'marks', where);
  const reasonOf = mark === null ? String : reasonOfMark(mark(''));
  const reasons = [...counts].flatMap(([counted, auctions]) => {
    const reason = reasonOf(counted);
    if (reason === null) return [];
    const { words: why, lossCode, nonBidStatus } = explainReason(reason);
    return [{ reason, auctions, why, remedy: remedyOf(reason), loss_code: lossCode, non_bid_status: nonBidStatus }];
  });
  reasons.sort((a, b) => b.auctions - a.auctions || (a.reason < b.reason ? -1 : 1));
  return { auctions: total, reasons };
}

/**
 * Returns a function that reads the reason out of a mark of this demand source; null for marks of outcomes and of other
 * sources.
 */
function reasonOfMark(prefix: string): (mark: unknown) => string | null {
  const outcomes: readonly string[] = PARTICIPATION_OUTCOMES;
  return (mark) => {
    if (typeof mark !== 'string' || !mark.startsWith(prefix)) return null;
    const outcomeOrReason = mark.slice(prefix.length);
    return outcomes.includes(outcomeOrReason) ? null : outcomeOrReason;
  };
}
