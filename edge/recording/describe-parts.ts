import type {
  RecordedBid,
  RecordedCreativeMismatch,
  RecordedNonBiddingCampaign,
  RecordedParticipation,
  RecordedSale,
  StatedAmount,
} from '../../actors/auction-record/record.ts';
import type { Loss, Win } from '../../exchange/auction/auction.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';
import type { Imp } from '../../exchange/openrtb/fields/imp.ts';
import type { AuctionResult, HeldAuction } from '../auction/held-auction.ts';
import { type CatalogueCampaign, contentOf } from '../catalogue/kept-campaign.ts';
import type { UnpackedCampaign } from '../catalogue/presented-campaign.ts';
import type { DemandParticipation } from '../demand-part.ts';
import { truncate } from './shortened.ts';

const MAX_PARTICIPATIONS = 60;
/** Upper bound of bids described for one DSP: those closest to winning. */
const MOST_BIDS = 20;
const MOST_KEPT_BACK = 16;
/** Upper bound of mismatches described for a campaign without an eligible creative. */
const MOST_MISFITS = 4;
const LONGEST_WORDS = 300;
const MOST_DOMAINS = 3;

/** Describes the participations with the most detail first, and how many were left out. */
export function describeParticipations(
  held: HeldAuction,
  device: BidRequest['device'],
): { parts: RecordedParticipation[]; partsLeftOut: number } {
  const bids = bidsOf(held);
  const keptBack = nonBiddingCampaignsOf(held, device);
  const detailOf = (part: DemandParticipation) =>
    bids.has(part.dsp.id) ? 0 : keptBack.has(part.dsp.id) ? 1 : part.reason === 'no-match' ? 3 : 2;
  const all = participationsOf(held);
  if (all.length > MAX_PARTICIPATIONS) all.sort((a, b) => detailOf(a) - detailOf(b));
  const parts = all.slice(0, MAX_PARTICIPATIONS).map((part): RecordedParticipation => {
    const { dsp, called, reason, latencyMs } = part;
    const own = bids.get(dsp.id) ?? [];
    return {
      dspId: dsp.id,
      accountId: dsp.accountId,
      mode: dsp.mode,
      generation: dsp.sandboxGeneration,
      called,
      outcome: !called
        ? 'not-called'
        : own.some((bid) => bid.reason === null)
          ? 'won'
          : own.length > 0
            ? 'lost'
            : 'answered',
      reason,
      latencyMs: Math.round(latencyMs * 10) / 10,
      bids: own.sort(byClosenessToWinning).slice(0, MOST_BIDS),
      keptBack: keptBack.get(dsp.id) ?? [],
    };
  });
  return { parts, partsLeftOut: all.length - parts.length };
}

/** Participations of delegates, in the order of their pool, then of bidders. */
function participationsOf({
  replies,
  delegates: { participations: parts, unmatched: unmatchedDelegates },
}: HeldAuction): DemandParticipation[] {
  return [...(unmatchedDelegates === null ? parts : unmatchedDelegates.withMatched(parts)), ...replies];
}

export function describeSales({ sold }: AuctionResult): RecordedSale[] {
  return sold.map(({ win, sale, trackingId }) => ({
    impId: truncate(win.impId),
    dspId: win.dspId,
    trackingId,
    soldAtMs: sale.issuedAtMs,
    clearingCpmMicros: win.clearingCpmMicros,
    format: win.format,
  }));
}

/** Order of bids: winners, then losers that a higher price would have helped, then bids that could not have won. */
function byClosenessToWinning(a: RecordedBid, b: RecordedBid): number {
  const rank = ({ reason }: RecordedBid) => (reason === null ? 0 : reason === 'lost-to-higher-bid' ? 1 : 2);
  return rank(a) - rank(b) || (b.priceCpmMicros ?? 0) - (a.priceCpmMicros ?? 0);
}

function bidsOf({ result, replies, delegates }: HeldAuction): Map<string, RecordedBid[]> {
  const rates = ratesOf(replies);
  const bids = new Map<string, RecordedBid[]>();
  const add = (dspId: string, bid: RecordedBid) => {
    const others = bids.get(dspId);
    if (others) others.push(bid);
    else bids.set(dspId, [bid]);
  };
  for (const { win } of result.sold) add(win.dspId, wonBid(win, delegates, rates.get(win.dspId)));
  for (const loss of result.losses) add(loss.dspId, lostBid(loss, delegates, rates.get(loss.dspId)));
  return bids;
}

/** The currency and the rate of an offer that is not in US dollars. */
type OfferRate = Omit<StatedAmount, 'cpm'>;

/** By demand source. */
function ratesOf(replies: HeldAuction['replies']): ReadonlyMap<string, OfferRate> {
  const rates = new Map<string, OfferRate>();
  for (const { dsp, offer } of replies) {
    if (offer?.dollarsPerUnit === undefined) continue;
    rates.set(dsp.id, { currency: offer.currency.toUpperCase(), dollarsPerUnit: offer.dollarsPerUnit });
  }
  return rates;
}

function statedPriceOf({ price: cpm }: Bid, rate: OfferRate | undefined): Pick<RecordedBid, 'statedPrice'> {
  return rate === undefined ? {} : { statedPrice: { cpm, ...rate } };
}

function wonBid(win: Win, delegates: HeldAuction['delegates'], rate: OfferRate | undefined): RecordedBid {
  const { priceCpmMicros, clearingCpmMicros, floorCpmMicros, minToWinCpmMicros } = win;
  return {
    ...bidIdentity(win.bid, win.seat, delegates),
    priceCpmMicros,
    ...statedPriceOf(win.bid, rate),
    floorCpmMicros,
    reason: null,
    winningCpmMicros: clearingCpmMicros,
    minToWinCpmMicros,
  };
}

function lostBid(loss: Loss, delegates: HeldAuction['delegates'], rate: OfferRate | undefined): RecordedBid {
  const { offered, malformed, reason, detail, priceCpmMicros, floorCpmMicros } = loss;
  const { winningCpmMicros, minToWinCpmMicros } = loss;
  const named =
    offered === null
      ? invalidBid(malformed?.impId ?? '', malformed?.bidId ?? null, malformed?.seat ?? null)
      : bidIdentity(offered.bid, offered.seat, delegates);
  return {
    ...named,
    priceCpmMicros,
    ...(offered !== null && statedPriceOf(offered.bid, rate)),
    floorCpmMicros,
    reason,
    ...(detail !== null && { detail: truncate(detail, LONGEST_WORDS) }),
    winningCpmMicros,
    minToWinCpmMicros,
  };
}

type BidIdentity = Omit<
  RecordedBid,
  'priceCpmMicros' | 'statedPrice' | 'floorCpmMicros' | 'reason' | 'detail' | 'winningCpmMicros' | 'minToWinCpmMicros'
>;

function bidIdentity(bid: Bid, seat: string | null, { creatives }: HeldAuction['delegates']): BidIdentity {
  const sold = creatives.get(bid);
  return {
    ...invalidBid(bid.impid, bid.id, seat),
    crid: bid.crid === undefined ? null : truncate(bid.crid),
    adomain: (bid.adomain ?? []).slice(0, MOST_DOMAINS).map((domain) => truncate(domain)),
    dealId: bid.dealid ? truncate(bid.dealid) : null,
    campaignActorId: sold?.campaign.id ?? null,
    campaignId: sold === undefined ? null : (bid.cid ?? null),
    ruleId: sold?.ruleId ?? null,
  };
}

function invalidBid(impId: string, bidId: string | null, seat: string | null): BidIdentity {
  return {
    impId: truncate(impId),
    bidId: bidId === null ? null : truncate(bidId),
    crid: null,
    adomain: [],
    dealId: null,
    seat: seat === null ? null : truncate(seat),
    campaignActorId: null,
    campaignId: null,
    ruleId: null,
  };
}

/** Campaigns that matched and did not bid, by DSP id; those stopped by the viewer's frequency cap included. */
function nonBiddingCampaignsOf(
  { delegates: { plans, exhausted } }: HeldAuction,
  device: BidRequest['device'],
): Map<string, RecordedNonBiddingCampaign[]> {
  const all = new Map<string, RecordedNonBiddingCampaign[]>();
  for (const { dspId, imp, candidates, nonBidding: keptBack } of plans) {
    const others = all.get(dspId) ?? [];
    const add = (kept: CatalogueCampaign, reason: RecordedNonBiddingCampaign['reason'], content?: UnpackedCampaign) => {
      // Further campaigns are not shown and need no work.
      if (others.length >= MOST_KEPT_BACK) return;
      if (others.length === 0) all.set(dspId, others);
      const { campaignId } = contentOf(kept);
      const recorded = { impId: truncate(imp.id), campaignActorId: kept.id, campaignId, reason };
      others.push(content ? { ...recorded, creatives: mismatchesOf(content, imp, device) } : recorded);
    };
    for (const { campaign: kept, reason, unpacked: content } of keptBack) add(kept, reason, content);
    for (const { campaign: kept } of candidates) {
      if (!exhausted.has(kept.id)) break;
      add(kept, 'frequency-cap');
    }
  }
  return all;
}

function mismatchesOf(content: UnpackedCampaign, imp: Imp, device: BidRequest['device']): RecordedCreativeMismatch[] {
  return content.creativeMismatches(imp, device, MOST_MISFITS).map(({ creativeId, reason, words }) => ({
    creativeId: truncate(creativeId),
    reason,
    words: truncate(words, LONGEST_WORDS),
  }));
}
