import Type, { type Static } from 'typebox';
import { Nullable, Timestamp, Uuid } from '#actors/api-schemas';
import type { PositionedEvent } from './read-feed-pages.ts';

const commonEventFields = {
  id: Type.String({ description: 'Of this event: unlike any other’s.' }),
  at: { ...Timestamp, description: 'When it came to the exchange’s log, by whose clock the feed is in order.' },
  tracking_id: Type.String({ description: 'Of the sold imp: the win and the impression of one have the same.' }),
  auction_id: Type.String({ description: '`id` of the bid request; of a very long one the first 256 characters.' }),
  publisher_id: Type.String(),
  campaign_id: Nullable(Uuid),
  creative_id: Nullable(
    Type.String({ description: '`crid` of the bid; of a very long one the first 256 characters.' }),
  ),
  price_cpm_micros: Type.Integer({
    minimum: 0,
    description: 'The clearing price, micro-dollars CPM: the nano-dollars that the impression costs.',
  }),
  region: Type.String(),
  sandbox: Type.Boolean(),
  sold_at: Nullable(Timestamp),
};

const WinEvent = Type.Object({
  type: Type.Literal('win'),
  ...commonEventFields,
  imp_id: Nullable(Type.String({ description: '`id` of the imp in the bid request.' })),
});

const ImpressionEvent = Type.Object({
  type: Type.Literal('impression'),
  ...commonEventFields,
  cost_micros: Type.Number({
    minimum: 0,
    description: 'Micro-dollars, with up to three decimals: a thousandth of the price.',
  }),
  billed_at: { ...Timestamp, description: 'The same as `at`: names the day and the month that it is billed in.' },
});

export const ShownEvent = Type.Union([WinEvent, ImpressionEvent], { title: 'FeedEvent' });

export function showEvent(
  { position, type: holds, read }: PositionedEvent,
  sandbox: boolean,
): Static<typeof ShownEvent> {
  const event = read();
  const shown = {
    id: position.slice(14),
    at: new Date(event.atMs).toISOString(),
    tracking_id: event.trackingId,
    auction_id: event.auctionId,
    publisher_id: event.publisherId,
    campaign_id: event.campaignId,
    creative_id: event.crid,
    price_cpm_micros: event.priceCpmMicros,
    region: event.region,
    sandbox,
    sold_at: event.soldAtMs === null ? null : new Date(event.soldAtMs).toISOString(),
  };
  if (holds === 'win') return { type: 'win', ...shown, imp_id: event.impId };
  return { type: 'impression', ...shown, cost_micros: event.priceCpmMicros / 1000, billed_at: shown.at };
}
