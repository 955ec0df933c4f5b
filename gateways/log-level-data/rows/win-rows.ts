import type { FeedEvent, WinDetails } from '#actors/feed-page/feed-event';
import { cpmOf } from '#exchange/money/price';
import type { BothSides } from './impression-rows.ts';
import { instant, instantOrNull, quoted, quotedOrNull } from './row-fields.ts';

/** A win as JSON for either side; pools are the publisher's, campaigns the demand source's. */
export function winRows(won: FeedEvent, details: WinDetails, dspId: string): BothSides {
  const { dealId, format, width, height, country, poolId } = details;
  const common =
    `{"tracking_id":${quoted(won.trackingId)},"auction_id":${quoted(won.auctionId)},"imp_id":${quotedOrNull(won.impId)},` +
    `"won_at":"${instant(won.atMs)}","sold_at":${instantOrNull(won.soldAtMs)},"region":${quoted(won.region)},` +
    `"deal_id":${quotedOrNull(dealId)},"format":${quotedOrNull(format)},"width":${width},"height":${height},` +
    `"country":${quotedOrNull(country)},"publisher_id":${quoted(won.publisherId)},"dsp_id":${quoted(dspId)},` +
    `"creative_id":${quotedOrNull(won.crid)},` +
    `"price_cpm":${cpmOf(won.priceCpmMicros)},"price_nanos":${won.priceCpmMicros},"currency":"USD"`;
  return {
    publisher: `${common},"pool_id":${quotedOrNull(poolId)}}`,
    dsp: `${common},"campaign_id":${quotedOrNull(won.campaignId)}}`,
  };
}
