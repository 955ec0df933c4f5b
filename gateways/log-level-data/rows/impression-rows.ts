import type { FeedImpression } from '#actors/feed-page/packed-rows';
import { cpmOf } from '#exchange/money/price';
import { instant, instantOrNull, quoted, quotedOrNull } from './row-fields.ts';

/** The money of one billed impression, whole nano-dollars. */
export interface ImpressionMoney {
  /** What the demand source owes for it, without its fee, which is put on the whole of a month. */
  readonly priceNanos: number;
  /** What the publisher is charged of it, at the fee of the moment. */
  readonly feeNanos: number;
}

/** A row for either side. */
export interface BothSides {
  readonly publisher: string;
  readonly dsp: string;
}

/**
 * An impression as JSON for either side: for its publisher the buyer and its ad, and not the campaign; for its demand
 * source not the fee that the exchange has agreed with the publisher. Text by hand: it is the most frequent of all
 * rows, and `JSON.stringify` takes five times as long.
 */
export function impressionRows(
  shown: FeedImpression,
  dspId: string,
  atMs: number,
  { priceNanos, feeNanos }: ImpressionMoney,
): BothSides {
  const common =
    `{"tracking_id":${quoted(shown.trackingId)},"auction_id":${quoted(shown.auctionId)},` +
    `"billed_at":"${instant(atMs)}","sold_at":${instantOrNull(shown.soldAtMs)},"region":${quoted(shown.region)},` +
    `"revalidated":${quotedOrNull(shown.revalidates)},"publisher_id":${quoted(shown.publisherId)},` +
    `"dsp_id":${quoted(dspId)},"creative_id":${quotedOrNull(shown.crid)},"price_cpm":${cpmOf(shown.priceCpmMicros)},"price_nanos":${priceNanos},"currency":"USD"`;
  return {
    publisher: `${common},"fee_nanos":${feeNanos},"payout_nanos":${priceNanos - feeNanos}}`,
    dsp: `${common},"campaign_id":${quotedOrNull(shown.campaignId)}}`,
  };
}
