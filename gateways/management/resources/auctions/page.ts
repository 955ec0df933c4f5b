import Type, { type Static } from 'typebox';
import { Nullable } from '#actors/api-schemas';
import type { AuctionRecord } from '#actors/auction-record/record';
import { type AuctionRecordState, parseAuctionRecord } from '#actors/auction-record/state';
import type { ManagementDeps } from '../../deps.ts';
import { AuctionListed } from './auction.ts';
import type { Perspective } from './perspective.ts';
import { auctionKind, type Where } from './query.ts';
import { showListed } from './show-auction.ts';

export const pageQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 64, description: '`next_cursor` of the page before.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
};

export const auctionPage = Type.Object({
  auctions: Type.Array(AuctionListed),
  next_cursor: Nullable(Type.String({ description: 'Null on the last page.' })),
});

/**
 * Lists the newest auctions that `where` finds, at most `limit`, as far as the caller may see them; `redact` removes
 * from each record what the caller may not see.
 */
export async function listPage(
  { store }: Pick<ManagementDeps, 'store'>,
  where: Where,
  limit: number | undefined,
  perspectiveOn: (record: AuctionRecord) => Promise<Perspective | null>,
  redact: (record: AuctionRecord) => AuctionRecord = (record) => record,
): Promise<Static<typeof auctionPage>> {
  const most = limit ?? 50;
  // `find` is used because a query would count all matching auctions.
  const found = await store.find(auctionKind, { where, orderBy: 'key', descending: true, limit: most + 1 });
  const page = found.slice(0, most).map(({ id }) => ({ kind: auctionKind, id }));
  const documents = await store.load(page);
  const shown = await Promise.all(
    documents.map(async (document) => {
      // The auction may have been purged since.
      if (document === null || document.deleted) return [];
      const { id, state } = document;
      const record = redact(parseAuctionRecord(state as AuctionRecordState));
      const perspective = await perspectiveOn(record);
      return perspective === null ? [] : [showListed(id, record, perspective)];
    }),
  );
  return { auctions: shown.flat(), next_cursor: found.length > most ? page.at(-1)!.id : null };
}
