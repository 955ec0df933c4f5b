import Type from 'typebox';
import { type AuctionRecordState, recordOf } from '../../../../actors/auction-record/state.ts';
import { defineRoute } from '../../routing/route.ts';
import { Nullable } from '../fields.ts';
import { AuctionListed } from './auction.ts';
import { Perspectives } from './perspective.ts';
import { auctionFilters, auctionKind, auctionsWhere, readCursor } from './query.ts';
import { showListed } from './show-auction.ts';

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
    cursor: Type.Optional(Type.String({ maxLength: 64, description: '`next_cursor` of the page before.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  }),
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answer: {
    status: 200,
    schema: Type.Object({
      auctions: Type.Array(AuctionListed),
      next_cursor: Nullable(Type.String({ description: 'Null on the last page.' })),
    }),
  },
  async handle({ query: { cursor, limit = 50, ...filters }, caller, parts }) {
    const where = await auctionsWhere(parts, caller, filters, readCursor(cursor));
    // Not by a query, which counts all there are.
    const found = await parts.store.find(auctionKind, { where, orderBy: 'key', descending: true, limit: limit + 1 });
    const perspectives = new Perspectives(parts, caller);
    const page = found.slice(0, limit).map(({ id }) => ({ kind: auctionKind, id }));
    const documents = await parts.store.load(page);
    const shown = await Promise.all(
      documents.map(async (document) => {
        // It may have been purged since.
        if (document === null || document.deleted) return [];
        const { id, state } = document;
        const record = recordOf(state as AuctionRecordState);
        const perspective = await perspectives.on(record);
        return perspective === null ? [] : [showListed(id, record, perspective)];
      }),
    );
    const hasMore = found.length > limit;
    return { auctions: shown.flat(), next_cursor: hasMore ? page.at(-1)!.id : null };
  },
});
