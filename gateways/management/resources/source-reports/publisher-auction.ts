import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { defineRoute } from '../../routing/route.ts';
import { Auction } from '../auctions/auction.ts';
import { loadVisibleAuction } from '../auctions/read.ts';
import { publisherPerspective, withoutDspNames } from './own-auctions.ts';

export const publisherAuction = defineRoute({
  method: 'GET',
  path: '/api/source/auctions/:id',
  tag: 'Source reports',
  operationId: 'getSourceAuction',
  summary: "Read one recorded auction of the key's publisher",
  description:
    'What was asked for, what every demand source came to, what was sold and whether it was shown. Whoever bought is named, with the ad: both sides of a trade know each other. Of all others, how they fared and how high they bid, as `bidder-1`, `bidder-2` …: never who, nor which ad.',
  access: 'publisher-key',
  params: Type.Object({ id: Uuid }),
  answer: { status: 200, schema: Auction },
  async handle({ params: { id }, source, parts }) {
    const perspectiveOn = await publisherPerspective(parts, source);
    return loadVisibleAuction(parts, id, async (record) => perspectiveOn(record), withoutDspNames);
  },
});
