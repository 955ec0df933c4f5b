import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { countedReasons, countReasons } from './count-reasons.ts';
import { auctionFilters, auctionsWhere, markOfDsp } from './query.ts';

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
  answer: { status: 200, schema: countedReasons },
  async handle({ query, caller, parts }) {
    const where = await auctionsWhere(parts, caller, query);
    const mark = query.dsp_id === undefined ? null : await markOfDsp(parts, caller, query.dsp_id);
    return countReasons(parts, where, mark);
  },
});
