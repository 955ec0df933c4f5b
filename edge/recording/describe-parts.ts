import type {
  RecordedBid,
  RecordedKeptBack,
  RecordedMisfit,
  RecordedPart,
  RecordedSale,
} from '../../actors/auction-record/record.ts';
import type { Loss, Win } from '../../exchange/auction/auction.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';
import type { Imp } from '../../exchange/openrtb/fields/imp.ts';
import type { AuctionResult, HeldAuction } from '../auction/held-auction.ts';
import { type KeptCampaign, presentedBy } from '../catalogue/kept-campaign.ts';
import type { PresentedCampaign } from '../catalogue/presented-campaign.ts';
import type { DemandPart } from '../demand-part.ts';
import { shortened } from './shortened.ts';

const MOST_PARTS = 60;
/** Of one demand source; those that came nearest to winning. */
const MOST_BIDS = 20;
const MOST_KEPT_BACK = 16;
/** Of a campaign that had none to show. */
const MOST_MISFITS = 4;
const LONGEST_WORDS = 300;
const MOST_DOMAINS = 3;

/** Those first that have the most to say, and how many were left out. */
export function describeParts(
  held: HeldAuction,
  device: BidRequest['device'],
): { parts: RecordedPart[]; partsLeftOut: number } {
  const bids = bidsOf(held);
  const keptBack = keptBackOf(held, device);
  const telling = (part: DemandPart) =>
    bids.has(part.dsp.id) ? 0 : keptBack.has(part.dsp.id) ? 1 : part.reason === 'no-match' ? 3 : 2;
  const all = partsOf(held);
  if (all.length > MOST_PARTS) all.sort((a, b) => telling(a) - telling(b));
  const parts = all.slice(0, MOST_PARTS).map((part): RecordedPart => {
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
      bids: own.sort(byNearness).slice(0, MOST_BIDS),
      keptBack: keptBack.get(dsp.id) ?? [],
    };
  });
  return { parts, partsLeftOut: all.length - parts.length };
}

/** Of delegates in the order of their pool, then of bidders. */
function partsOf({ replies, delegates: { parts, evaluated } }: HeldAuction): DemandPart[] {
  return [...(evaluated === null ? parts : evaluated.withSettled(parts)), ...replies];
}

export function describeSales({ sold }: AuctionResult): RecordedSale[] {
  return sold.map(({ win, sale, trackingId }) => ({
    impId: shortened(win.impId),
    dspId: win.dspId,
    trackingId,
    soldAtMs: sale.issuedAtMs,
    clearingCpmMicros: win.clearingCpmMicros,
    format: win.format,
  }));
}

/** Winners, then whoever a higher price would have helped, then those that could not have won. */
function byNearness(a: RecordedBid, b: RecordedBid): number {
  const rank = ({ reason }: RecordedBid) => (reason === null ? 0 : reason === 'lost-to-higher-bid' ? 1 : 2);
  return rank(a) - rank(b) || (b.priceCpmMicros ?? 0) - (a.priceCpmMicros ?? 0);
}

function bidsOf({ result, delegates }: HeldAuction): Map<string, RecordedBid[]> {
  const bids = new Map<string, RecordedBid[]>();
  const add = (dspId: string, bid: RecordedBid) => {
    const others = bids.get(dspId);
    if (others) others.push(bid);
    else bids.set(dspId, [bid]);
  };
  for (const { win } of result.sold) add(win.dspId, wonBid(win, delegates));
  for (const loss of result.losses) add(loss.dspId, lostBid(loss, delegates));
  return bids;
}

function wonBid(win: Win, delegates: HeldAuction['delegates']): RecordedBid {
  const { clearingCpmMicros, floorCpmMicros, minToWinCpmMicros } = win;
  return {
    ...namedBid(win.bid, win.seat, delegates),
    priceCpmMicros: clearingCpmMicros,
    floorCpmMicros,
    reason: null,
    winningCpmMicros: clearingCpmMicros,
    minToWinCpmMicros,
  };
}

function lostBid(loss: Loss, delegates: HeldAuction['delegates']): RecordedBid {
  const { offered, malformed, reason, detail, priceCpmMicros, floorCpmMicros } = loss;
  const { winningCpmMicros, minToWinCpmMicros } = loss;
  const named =
    offered === null
      ? unreadBid(malformed?.impId ?? '', malformed?.bidId ?? null, malformed?.seat ?? null)
      : namedBid(offered.bid, offered.seat, delegates);
  return {
    ...named,
    priceCpmMicros,
    floorCpmMicros,
    reason,
    ...(detail !== null && { detail }),
    winningCpmMicros,
    minToWinCpmMicros,
  };
}

type NamedBid = Omit<
  RecordedBid,
  'priceCpmMicros' | 'floorCpmMicros' | 'reason' | 'detail' | 'winningCpmMicros' | 'minToWinCpmMicros'
>;

function namedBid(bid: Bid, seat: string | null, { creatives }: HeldAuction['delegates']): NamedBid {
  const sold = creatives.get(bid);
  return {
    ...unreadBid(bid.impid, bid.id, seat),
    crid: bid.crid === undefined ? null : shortened(bid.crid),
    adomain: (bid.adomain ?? []).slice(0, MOST_DOMAINS).map((domain) => shortened(domain)),
    dealId: bid.dealid ? shortened(bid.dealid) : null,
    campaignActorId: sold?.campaign.id ?? null,
    campaignId: sold === undefined ? null : (bid.cid ?? null),
    ruleId: sold?.ruleId ?? null,
  };
}

function unreadBid(impId: string, bidId: string | null, seat: string | null): NamedBid {
  return {
    impId: shortened(impId),
    bidId: bidId === null ? null : shortened(bidId),
    crid: null,
    adomain: [],
    dealId: null,
    seat: seat === null ? null : shortened(seat),
    campaignActorId: null,
    campaignId: null,
    ruleId: null,
  };
}

/** By demand source: campaigns that matched and did not bid, those before whom the viewer's cap stood among them. */
function keptBackOf(
  { delegates: { plans, exhausted } }: HeldAuction,
  device: BidRequest['device'],
): Map<string, RecordedKeptBack[]> {
  const all = new Map<string, RecordedKeptBack[]>();
  for (const { dspId, imp, candidates, keptBack } of plans) {
    const others = all.get(dspId) ?? [];
    const add = (kept: KeptCampaign, reason: RecordedKeptBack['reason'], presented?: PresentedCampaign) => {
      // What is past them is not shown, and looked at by nobody.
      if (others.length >= MOST_KEPT_BACK) return;
      if (others.length === 0) all.set(dspId, others);
      const { campaignId } = presentedBy(kept);
      const recorded = { impId: shortened(imp.id), campaignActorId: kept.id, campaignId, reason };
      others.push(presented ? { ...recorded, creatives: misfitsOf(presented, imp, device) } : recorded);
    };
    for (const { kept, reason, presented } of keptBack) add(kept, reason, presented);
    for (const { kept } of candidates) {
      if (!exhausted.has(kept.id)) break;
      add(kept, 'frequency-cap');
    }
  }
  return all;
}

function misfitsOf(presented: PresentedCampaign, imp: Imp, device: BidRequest['device']): RecordedMisfit[] {
  return presented.misfits(imp, device, MOST_MISFITS).map(({ creativeId, reason, words }) => ({
    creativeId: shortened(creativeId),
    reason,
    words: shortened(words, LONGEST_WORDS),
  }));
}
