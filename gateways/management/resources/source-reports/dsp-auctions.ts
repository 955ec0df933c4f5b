import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { countedReasons, countReasons } from '../auctions/count-reasons.ts';
import { auctionPage, listPage, pageQuery } from '../auctions/page.ts';
import { auctionFilters, dspAuctionsWhere, readCursor } from '../auctions/query.ts';
import { dspPerspective } from './own-auctions.ts';

const { dsp_id: _, outcome: __, reason, ...others } = auctionFilters;
const outcome = Type.Optional({
  ...auctionFilters.outcome,
  description:
    'Of the own part: `won`, `lost` (its bids), `answered` (it was asked, and does not bid), `not-called`; or of the auction: `filled`, `unfilled` (204), `expired` (503).',
});
const filters = { outcome, ...others };

export const dspAuctions = defineRoute({
  method: 'GET',
  path: '/api/demand/auctions',
  tag: 'Source reports',
  operationId: 'listDemandAuctions',
  summary: "List recorded auctions that the key's demand source had a part in, newest first",
  description:
    'A fair sample, as `GET /api/auctions` has it: the own part alone, whosever the publisher is, with the prices that notices tell; no other bidder. A demand source in the sandbox reads its sandbox auctions.',
  access: 'dsp-key',
  query: Type.Object({ ...filters, reason, ...pageQuery }),
  errors: ['INVALID_PARAMS'],
  answer: { status: 200, schema: auctionPage },
  async handle({ query: { cursor, limit, ...asked }, source, parts }) {
    const own = await dspPerspective(parts, source);
    const where = await dspAuctionsWhere(parts, own.sandbox, own.mark, asked, readCursor(cursor));
    return listPage(parts, where, limit, async (record) => own.perspectiveOn(record));
  },
});

export const dspAuctionReasons = defineRoute({
  method: 'GET',
  path: '/api/demand/reasons',
  tag: 'Source reports',
  operationId: 'listDemandAuctionReasons',
  summary: "Count the reasons that are found in the part of the key's demand source, the most frequent first",
  description: 'Over the sample, each auction once for a reason: why it was not asked, did not bid or did not win.',
  access: 'dsp-key',
  query: Type.Object(filters),
  errors: ['INVALID_PARAMS'],
  answer: { status: 200, schema: countedReasons },
  async handle({ query, source, parts }) {
    const own = await dspPerspective(parts, source);
    return countReasons(parts, await dspAuctionsWhere(parts, own.sandbox, own.mark, query), own.mark);
  },
});
