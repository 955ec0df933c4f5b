import Type from 'typebox';
import { PART_OUTCOMES } from '../../../../actors/auction-record/record.ts';
import { remedyOf } from '../../../../exchange/auction/reason-remedies.ts';
import { explainReason } from '../../../../exchange/auction/reason-words.ts';
import { defineRoute } from '../../routing/route.ts';
import { Nullable } from '../fields.ts';
import { auctionFilters, auctionKind, auctionsWhere, markOfDsp } from './query.ts';

const { reason: _, ...filters } = auctionFilters;

export const auctionReasons = defineRoute({
  method: 'GET',
  path: '/api/auctions/reasons',
  tag: 'Auctions',
  operationId: 'listAuctionReasons',
  summary: 'Count the reasons that are found in recorded auctions, the most frequent first',
  description:
    'Over the sample, each auction once for a reason. Without `dsp_id`, of auctions of your supply sources: why they were not filled, and why their demand did not bid or win. With it, of the part of that demand source.',
  access: 'account',
  query: Type.Object(filters),
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answer: {
    status: 200,
    schema: Type.Object({
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
    }),
  },
  async handle({ query, caller, parts }) {
    const where = await auctionsWhere(parts, caller, query);
    const { total } = await parts.store.query(auctionKind, { where, limit: 1 });
    const counts = await parts.store.countBy(auctionKind, query.dsp_id === undefined ? 'reasons' : 'marks', where);
    const reasonOf = query.dsp_id === undefined ? String : await ofDsp(markOfDsp(parts, caller, query.dsp_id));
    const reasons = [...counts].flatMap(([counted, auctions]) => {
      const reason = reasonOf(counted);
      if (reason === null) return [];
      const { words: why, lossCode, nonBidStatus } = explainReason(reason);
      return [{ reason, auctions, why, remedy: remedyOf(reason), loss_code: lossCode, non_bid_status: nonBidStatus }];
    });
    reasons.sort((a, b) => b.auctions - a.auctions || (a.reason < b.reason ? -1 : 1));
    return { auctions: total, reasons };
  },
});

/** The reason that a mark of this demand source holds; null for its outcomes, and for marks of others. */
async function ofDsp(marks: ReturnType<typeof markOfDsp>): Promise<(mark: unknown) => string | null> {
  const prefix = (await marks)('');
  const outcomes: readonly string[] = PART_OUTCOMES;
  return (mark) => {
    if (typeof mark !== 'string' || !mark.startsWith(prefix)) return null;
    const said = mark.slice(prefix.length);
    return outcomes.includes(said) ? null : said;
  };
}
