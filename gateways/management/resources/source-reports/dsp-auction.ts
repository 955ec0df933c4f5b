import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { defineRoute } from '../../routing/route.ts';
import { Auction } from '../auctions/auction.ts';
import { loadVisibleAuction } from '../auctions/read.ts';
import { dspPerspective } from './own-auctions.ts';

export const dspAuction = defineRoute({
  method: 'GET',
  path: '/api/demand/auctions/:id',
  tag: 'Source reports',
  operationId: 'getDemandAuction',
  summary: "Read the part of the key's demand source in one recorded auction",
  description:
    'What was asked for and the own part alone, with the prices that notices tell; no other bidder. An auction that it had no part in does not exist for it.',
  access: 'dsp-key',
  params: Type.Object({ id: Uuid }),
  answer: { status: 200, schema: Auction },
  async handle({ params: { id }, source, parts }) {
    const own = await dspPerspective(parts, source);
    return loadVisibleAuction(parts, id, async (record) => own.perspectiveOn(record));
  },
});
