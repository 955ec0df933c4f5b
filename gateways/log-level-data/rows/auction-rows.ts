import type { AuctionRecord, RecordedBid, RecordedParticipation } from '#actors/auction-record/record';
import { cpmOf } from '#exchange/money/price';
import { instant } from './row-fields.ts';

/**
 * A recorded auction as its publisher may see it: how many buyers were asked and bid, and how high, never their names;
 * the buyer of what was sold is named.
 */
export function publisherAuction(id: string, record: AuctionRecord): string {
  const { parts, partsLeftOut, sold } = record;
  const prices = parts.flatMap(({ bids }) => bids.flatMap(({ priceCpmMicros }) => priceCpmMicros ?? []));
  return JSON.stringify({
    ...common(id, record),
    pool_id: record.poolId,
    outcome: record.outcome,
    reason: record.reason,
    took_ms: record.tookMs,
    demand_sources: parts.length + partsLeftOut,
    demand_called: count(parts, ({ called }) => called),
    demand_bidding: count(parts, ({ bids }) => bids.length > 0),
    demand_timed_out: count(parts, ({ reason }) => reason === 'timeout'),
    highest_bid_cpm: prices.length === 0 ? null : cpmOf(Math.max(...prices)),
    sold: sold.map(({ impId, dspId, trackingId, format, clearingCpmMicros }) => ({
      ...{ imp_id: impId, tracking_id: trackingId, dsp_id: dspId, format, price_nanos: clearingCpmMicros },
    })),
  });
}

/** A recorded auction as one of its demand sources may see it: its own part, with the prices that notices tell. */
export function dspAuction(id: string, record: AuctionRecord, part: RecordedParticipation): string {
  return JSON.stringify({
    ...common(id, record),
    dsp_id: part.dspId,
    called: part.called,
    outcome: part.outcome,
    reason: part.reason,
    latency_ms: part.latencyMs,
    bids: part.bids.map(bidFields),
  });
}

function common(id: string, { atMs, auctionId, region, represents, publisher, asked, imps }: AuctionRecord) {
  return {
    record_id: id,
    auction_id: auctionId,
    auctioned_at: instant(atMs),
    sample_weight: represents,
    region,
    publisher_id: publisher?.id ?? null,
    channel: asked.channel,
    inventory: asked.inventory,
    device_type: asked.deviceType,
    country: asked.country,
    imps: imps.map(({ id: impId, formats, sizes, floorCpmMicros, deals }) => ({
      ...{ imp_id: impId, formats, sizes, floor_cpm: cpmOf(floorCpmMicros), deals },
    })),
  };
}

function bidFields(bid: RecordedBid) {
  return {
    imp_id: bid.impId,
    bid_id: bid.bidId,
    loss_reason: bid.reason,
    price_cpm: cpmOrNull(bid.priceCpmMicros),
    floor_cpm: cpmOrNull(bid.floorCpmMicros),
    clearing_cpm: cpmOrNull(bid.winningCpmMicros),
    min_to_win_cpm: cpmOrNull(bid.minToWinCpmMicros),
    creative_id: bid.crid,
    deal_id: bid.dealId,
    campaign_id: bid.campaignActorId,
  };
}

function cpmOrNull(cpmMicros: number | null): number | null {
  return cpmMicros === null ? null : cpmOf(cpmMicros);
}

function count(parts: readonly RecordedParticipation[], matches: (part: RecordedParticipation) => boolean): number {
  return parts.filter(matches).length;
}
