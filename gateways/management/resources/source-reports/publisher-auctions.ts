import Type from 'typebox';
import { REQUEST_OUTCOMES } from '#actors/auction-record/record';
import { defineRoute } from '../../routing/route.ts';
import { countedReasons, countReasons } from '../auctions/count-reasons.ts';
import { auctionPage, listPage, pageQuery } from '../auctions/page.ts';
import { auctionFilters, publisherAuctionsWhere, readCursor } from '../auctions/query.ts';
import { ownPublisherAuctionsWhere, withoutCreativeDetails } from './own-auctions.ts';

const { region, from, to, reason } = auctionFilters;
const outcome = Type.Optional(
  Type.Enum([...REQUEST_OUTCOMES], {
    description: 'Of the auction: `filled`, `unfilled` (204), `blocked` (403), `invalid` (400), `expired` (503).',
  }),
);
const filters = { outcome, region, from, to };

export const publisherAuctions = defineRoute({
  method: 'GET',
  path: '/api/source/auctions',
  tag: 'Source reports',
  operationId: 'listSourceAuctions',
  summary: "List recorded auctions of the key's publisher, newest first",
  description:
    'A fair sample, as `GET /api/auctions` has it: what became of single requests, and why they were not filled or were refused. Of its demand, how many were asked, how many bid and how high; never who. A publisher in the sandbox reads its sandbox auctions.',
  access: 'publisher-key',
  query: Type.Object({ ...filters, reason, ...pageQuery }),
  errors: ['INVALID_PARAMS'],
  answer: { status: 200, schema: auctionPage },
  async handle({ query: { cursor, limit, ...asked }, source, parts }) {
    const where = publisherAuctionsWhere(await ownPublisherAuctionsWhere(parts, source), asked, readCursor(cursor));
    return listPage(parts, where, limit, async () => ({ sees: 'whole' }), withoutCreativeDetails);
  },
});

export const publisherAuctionReasons = defineRoute({
  method: 'GET',
  path: '/api/source/reasons',
  tag: 'Source reports',
  operationId: 'listSourceAuctionReasons',
  summary: "Count the reasons that are found in recorded auctions of the key's publisher, the most frequent first",
  description:
    'Over the sample, each auction once for a reason: why it was not filled or was refused, and why its demand, whoever it was, did not bid or win.',
  access: 'publisher-key',
  query: Type.Object(filters),
  errors: ['INVALID_PARAMS'],
  answer: { status: 200, schema: countedReasons },
  async handle({ query, source, parts }) {
    return countReasons(parts, publisherAuctionsWhere(await ownPublisherAuctionsWhere(parts, source), query), null);
  },
});
