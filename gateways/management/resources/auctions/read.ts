import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import type { AuctionRecord } from '#actors/auction-record/record';
import { type AuctionRecordState, parseAuctionRecord } from '#actors/auction-record/state';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import { defineRoute } from '../../routing/route.ts';
import { Auction } from './auction.ts';
import { type Perspective, Perspectives } from './perspective.ts';
import { auctionKind } from './query.ts';
import { renderStatusesOf } from './render-statuses.ts';
import { showAuction } from './show-auction.ts';

export const readAuction = defineRoute({
  method: 'GET',
  path: '/api/auctions/:id',
  tag: 'Auctions',
  operationId: 'getAuction',
  summary: 'Read what was asked in an auction, and what every demand source came to',
  description:
    'Whole for who owns the publisher; who owns a demand source that had a part in it sees that part, with the prices that notices tell, and no other bidder. `sold` says what has become of each sale until now: whether it was shown, and what is billed for it.',
  access: 'account',
  reach: { environments: 'same', operators: 'every-account' },
  params: Type.Object({ id: Uuid }),
  answer: { status: 200, schema: Auction },
  async handle({ params: { id }, caller, parts }) {
    return loadVisibleAuction(parts, id, (record) => new Perspectives(parts, caller).on(record));
  },
});

/**
 * Loads a recorded auction as far as the caller may see it; `redact` removes from the record what the caller may not
 * see.
 * @throws ApiError NOT_FOUND when the caller sees no part of the auction, or it was not recorded
 */
export async function loadVisibleAuction(
  deps: ManagementDeps,
  id: string,
  perspectiveOn: (record: AuctionRecord) => Promise<Perspective | null>,
  redact: (record: AuctionRecord) => AuctionRecord = (record) => record,
): Promise<Auction> {
  const [document] = await deps.store.load([{ kind: auctionKind, id }]);
  const state = document && !document.deleted ? (document.state as AuctionRecordState) : null;
  const record = state === null || state.key === '' ? null : parseAuctionRecord(state);
  const perspective = record === null ? null : await perspectiveOn(record);
  if (state === null || record === null || perspective === null) {
    throw new ApiError('NOT_FOUND', 'The auction was not recorded, or is kept no more.');
  }
  return showAuction(id, redact(record), perspective, await renderStatusesOf(record, state, deps));
}
