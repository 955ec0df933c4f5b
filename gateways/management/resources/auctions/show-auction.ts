import type {
  AuctionRecord,
  RecordedBid,
  RecordedImp,
  RecordedParticipation,
  RecordedSale,
  ReplayInput,
  StatedAmount,
} from '#actors/auction-record/record';
import type { RenderStatus } from '#actors/auction-record/render-status';
import { participationSummary, summaryOf } from '#actors/auction-record/summary';
import { explainLoss, explainNoBid } from '#exchange/auction/explain-reason';
import { remedyOf } from '#exchange/auction/reason-remedies';
import { cpmOf } from '#exchange/money/price';
import { applyExchangePolicy } from '#exchange/openrtb/exchange-policy';
import type { Auction, AuctionListed } from './auction.ts';
import type { Perspective } from './perspective.ts';

/**
 * A record as the caller may see it. A caller that sees an auction in parts gets what every bidder is told (the
 * request), its own participations, and the prices at which the imps of its own bids were sold, which loss notices tell
 * too; it gets no name and no price of another demand source.
 */
export function showAuction(
  id: string,
  record: AuctionRecord,
  perspective: Perspective,
  renderings: ReadonlyMap<string, RenderStatus>,
): Auction {
  const { asked } = record;
  const whole = perspective.sees === 'whole';
  const parts = whole ? record.parts : perspective.parts;
  return {
    ...showListed(id, record, perspective),
    detail: whole ? record.detail : null,
    asked: {
      channel: asked.channel,
      inventory: asked.inventory,
      device_type: asked.deviceType,
      country: asked.country,
      region: asked.region,
      genre: asked.genre,
    },
    imps: record.imps.map(showImp),
    currencies: record.currencies
      ? { rates_as_of: record.currencies.ratesAsOf, answered_in: record.currencies.answer }
      : null,
    privacy: [...record.privacy],
    demand: parts.map(showParticipation),
    demand_left_out: whole ? record.partsLeftOut : null,
    sold: record.sold
      .filter(({ dspId }) => whole || parts.some((participation) => participation.dspId === dspId))
      .map((sale) => showSale(sale, renderings.get(sale.trackingId) ?? 'unknown')),
    bid_request: record.replayable === null ? null : requestAsOffered(record.replayable),
  };
}

export function showListed(id: string, record: AuctionRecord, perspective: Perspective): AuctionListed {
  const whole = perspective.sees === 'whole';
  return {
    id,
    auction_id: record.auctionId,
    at: new Date(record.atMs).toISOString(),
    region: record.region,
    edge: record.edge,
    sandbox: record.sandbox,
    test: record.test ?? false,
    publisher_id: record.publisher?.id ?? null,
    pool_id: record.poolId,
    outcome: record.outcome,
    reason: whole ? record.reason : null,
    remedy: whole && record.reason !== null ? remedyOf(record.reason) : null,
    summary: whole ? summaryOf(record) : perspective.parts.map(participationSummary).join(' '),
    took_ms: record.tookMs,
    represents: record.represents,
    sees: perspective.sees,
  };
}

/** Of these sales nothing is billed any more. */
const UNBILLED: ReadonlySet<RenderStatus> = new Set(['none', 'test']);

function showSale(
  { impId, dspId, format, clearingCpmMicros, trackingId }: RecordedSale,
  impression: RenderStatus,
): Auction['sold'][number] {
  return {
    imp_id: impId,
    dsp_id: dspId,
    format,
    clearing_cpm: cpmOf(clearingCpmMicros),
    tracking_id: trackingId,
    impression,
    cost_micros: impression === 'billed' ? clearingCpmMicros / 1000 : UNBILLED.has(impression) ? 0 : null,
  };
}

/** The request as it was sent to bidders: with the exchange's floors, block lists and genre. */
function requestAsOffered({ request, terms }: ReplayInput): Record<string, unknown> {
  const offered = applyExchangePolicy(request, {
    tmaxMs: request.tmax ?? 0,
    blockedCategories: terms.blockedCategories,
    prohibits: true,
    blockedDomains: terms.blockedDomains,
    contentGenre: terms.publisherGenre,
    floorCpmMicros: Math.max(terms.publisherFloorCpmMicros, terms.poolFloorCpmMicros),
  }) as unknown as Record<string, unknown>;
  // The time that each bidder had is not recorded, since it differs from bidder to bidder.
  const { tmax: _, user: __, ...shown } = offered;
  return shown;
}

function showImp({
  id,
  formats,
  sizes,
  floorCpmMicros,
  floorFrom,
  statedFloor,
  deals,
  inPod,
}: RecordedImp): Auction['imps'][number] {
  return {
    id,
    formats: [...formats],
    sizes: [...sizes],
    floor_cpm: cpmOf(floorCpmMicros),
    floor_from: floorFrom,
    stated_floor: showStated(statedFloor),
    deals,
    in_pod: inPod,
  };
}

function showParticipation(participation: RecordedParticipation): Auction['demand'][number] {
  const { dspId, mode, outcome, called, reason, latencyMs, bids, keptBack } = participation;
  const explained = reason === null ? null : explainNoBid(reason);
  return {
    dsp_id: dspId,
    mode,
    outcome,
    called,
    reason,
    why: explained?.words ?? null,
    remedy: reason === null ? null : remedyOf(reason),
    non_bid_status: explained?.nonBidStatus ?? null,
    latency_ms: latencyMs,
    bids: bids.map(showBid),
    kept_back: keptBack.map(({ impId, campaignId, reason: kept, creatives = [] }) => ({
      imp_id: impId,
      campaign_id: campaignId,
      reason: kept,
      why: explainNoBid(kept).words,
      remedy: remedyOf(kept),
      creatives: creatives.map(({ creativeId, reason: misfit, words }) => ({
        creative_id: creativeId,
        reason: misfit,
        why: words,
      })),
    })),
  };
}

function showBid(bid: RecordedBid): Auction['demand'][number]['bids'][number] {
  const { reason } = bid;
  const explained = reason === null ? null : explainLoss(reason, bid.detail);
  return {
    imp_id: bid.impId,
    bid_id: bid.bidId,
    won: reason === null,
    reason,
    why: explained?.words ?? null,
    remedy: reason === null ? null : remedyOf(reason),
    non_bid_status: explained?.nonBidStatus ?? null,
    loss_code: explained?.lossCode ?? 0,
    price_cpm: orNull(bid.priceCpmMicros),
    stated_price: showStated(bid.statedPrice),
    floor_cpm: orNull(bid.floorCpmMicros),
    clearing_cpm: orNull(bid.winningCpmMicros),
    min_to_win_cpm: orNull(bid.minToWinCpmMicros),
    crid: bid.crid,
    adomain: [...bid.adomain],
    deal_id: bid.dealId,
    seat: bid.seat,
    campaign_id: bid.campaignId,
    rule_id: bid.ruleId,
  };
}

function showStated(stated: StatedAmount | undefined): Auction['imps'][number]['stated_floor'] {
  if (stated === undefined) return null;
  const { cpm, currency, dollarsPerUnit } = stated;
  return { cpm, currency, dollars_per_unit: dollarsPerUnit };
}

function orNull(cpmMicros: number | null): number | null {
  return cpmMicros === null ? null : cpmOf(cpmMicros);
}
