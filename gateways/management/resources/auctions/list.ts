import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { auctionPage, listPage, pageQuery } from './page.ts';
import { Perspectives } from './perspective.ts';
import { auctionFilters, auctionsWhere, readCursor } from './query.ts';

export const listAuctions = defineRoute({
  method: 'GET',
  path: '/api/auctions',
  tag: 'Auctions',
  operationId: 'listAuctions',
  summary: 'List recorded auctions, newest first',
  description: [
    'A fair sample: each edge records so many auctions a second (AUCTION_SAMPLES_PER_SECOND), by turns of publishers and outcomes,',
    'and of the sandbox all, up to twenty a second. They are found a second or two after they were held. Without `dsp_id`, auctions of',
    'your supply sources, whole; with it, those of a demand source of yours: its own part of them, unless the publisher is yours too.',
    'A page may show fewer than `limit`, and still have a next one.',
  ].join(' '),
  access: 'account',
  query: Type.Object({
    ...auctionFilters,
    ...pageQuery,
  }),
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answer: { status: 200, schema: auctionPage },
  async handle({ query: { cursor, limit, ...filters }, caller, parts }) {
    const where = await auctionsWhere(parts, caller, filters, readCursor(cursor));
    const perspectives = new Perspectives(parts, caller);
    return listPage(parts, where, limit, (record) => perspectives.on(record));
  },
});
