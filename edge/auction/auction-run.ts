import { type AuctionOutcome, decideAuction, type Win } from '../../exchange/auction/auction.ts';
import type { LossReason } from '../../exchange/auction/loss-reason.ts';
import { withDurations } from '../../exchange/auction/pods/with-durations.ts';
import { nanosPerImpression } from '../../exchange/money/nanos.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';
import { substituteMacros } from '../../exchange/openrtb/macros.ts';
import { shallowCopy } from '../../exchange/openrtb/shallow-copy.ts';
import { podAdOf, withViewabilityTrackers } from '../../exchange/vast/pod.ts';
import type { CatalogueCampaign } from '../catalogue/kept-campaign.ts';
import type { FrequencyCaps } from '../delegates/frequency-caps.ts';
import type { SoldCreative } from '../delegates/sold-creative.ts';
import type { BidderOffer } from '../demand-part.ts';
import { encodedLength } from '../tracking/query.ts';
import { type RequestOrigin, UNKNOWN_ORIGIN } from '../tracking/request-origin.ts';
import type { Sale } from '../tracking/sale.ts';
import { newTrackingId } from '../tracking/tracking-id.ts';
import { mergeBlockedCategories } from './blocked-categories.ts';
import type { AuctionResult } from './held-auction.ts';
import { winMacroValues } from './notice-values.ts';
import { renderedMarkup } from './rendered-markup.ts';
import type { SaleContext, SoldRequest } from './sale-context.ts';
import type { SoldImp } from './sold-imp.ts';

/**
 * Of one bidder in one auction, each of which costs all of it anew: from then on nothing of its answer is believed. Of a pod many
 * winners can fail in one round.
 */
const MOST_ROUNDS_LOST = 5;

/**
 * What every server and proxy takes in a request line (RFC 9110 §4.1). A longer tracking URL would be shown and never be
 * called: an impression for nothing, for whoever sends a `burl` that is long enough.
 */
const LONGEST_TRACKING_URL = 8_000;

/**
 * Characters of a DSP's `nurl` and `burl` together, as URLs encode them, up to which tracking URLs carry both, so that the first billed
 * impression can tell of the win. A longer `nurl` is told by our own alone: each character stands in the markup several times.
 */
const LONGEST_CARRIED = 2_000;

/**
 * Characters of markup in one answer. Fifty imps with what is usual in each have a tenth of it; what does not fit any more loses, so
 * that a small request cannot ask for an answer of any size.
 */
export const MAX_RESPONSE_MARKUP_CHARS = 2_097_152;

/** One auction and what has come of it so far; held anew until what has been won can be sold. */
export class AuctionRun {
  readonly context: SaleContext;
  readonly #offers: BidderOffer[];
  readonly #draws: number[] = [];
  readonly #rejected = new Map<Bid, LossReason>();
  /** By bidder: rounds in which a winner of its could not be sold. */
  readonly #roundsLost = new Map<string, number>();
  /** Bids that have taken their place under a frequency cap, each with the tracking id that it took it by. */
  readonly #placed = new Map<Bid, string>();
  /** Read when something is sold: most requests are not. */
  #origin: RequestOrigin | null = null;

  constructor(offers: readonly BidderOffer[], context: SaleContext) {
    this.context = context;
    this.#offers = withDurations(offers, context.auction.request);
  }

  /** Equals stand in every round as chance has put them in the first: who has had its win notice does not lose to a draw. */
  decide(): AuctionOutcome {
    const { auction, blockedCategories } = this.context;
    let draws = 0;
    const random = () => {
      const draw = this.#draws[draws] ?? this.context.random();
      this.#draws[draws++] = draw;
      return draw;
    };
    const { request, publisher, pool } = auction;
    return decideAuction({
      request,
      offers: this.#offers,
      rejected: this.#rejected,
      random,
      terms: {
        publisherFloorCpmMicros: publisher.floorCpmMicros,
        poolFloorCpmMicros: pool?.floorCpmMicros ?? 0,
        blockedCategories: mergeBlockedCategories(publisher.blockedCategories, blockedCategories),
        blockedDomains: publisher.blockedDomains,
      },
    });
  }

  /**
   * Null when a winner could not be sold: the auction is to be held again. What is sold is paid, each of them from its own budgets;
   * what is not has cost nobody anything.
   */
  conclude(outcome: AuctionOutcome): AuctionResult | null {
    const { wins } = outcome;
    const unpaid = this.#pay(wins);
    if (unpaid.length > 0) {
      for (const [{ bid }, reason] of unpaid) this.reject(bid, reason);
      return null;
    }
    let result: AuctionResult | null = null;
    try {
      result = this.#prepare(outcome);
      return result;
    } finally {
      if (result === null) this.releaseReservations(wins);
    }
  }

  /** Returns the reserved budget of wins that the caller will never see. */
  releaseReservations(wins: readonly Win[]): void {
    const { budgets, shares, nowMs, auction } = this.context;
    for (const { dspId, bid, clearingCpmMicros } of wins) {
      const payer = this.#payerOf(bid);
      const priceNanos = nanosPerImpression(clearingCpmMicros);
      budgets?.release(dspId, payer, priceNanos, nowMs);
      shares?.release(auction.publisher.id, dspId, payer, priceNanos, nowMs);
    }
  }

  /** Those that cannot be paid; when there are any, none is. */
  #pay(wins: readonly Win[]): readonly (readonly [Win, LossReason])[] {
    const paid: Win[] = [];
    const unpaid: [Win, LossReason][] = [];
    for (const win of wins) {
      const reason = this.#unpayable(win);
      if (reason === null) paid.push(win);
      else unpaid.push([win, reason]);
    }
    if (unpaid.length > 0) this.releaseReservations(paid);
    return unpaid;
  }

  /** Null: it is paid, from its budgets and from the publisher's shares of them. */
  #unpayable({ dspId, bid, clearingCpmMicros }: Win): LossReason | null {
    const { budgets, shares, nowMs, auction } = this.context;
    const { id: publisherId } = auction.publisher;
    const payer = this.#payerOf(bid);
    const priceNanos = nanosPerImpression(clearingCpmMicros);
    if (shares?.reserve(publisherId, dspId, payer, priceNanos, nowMs) === false) return 'publisher-share';
    if (budgets === undefined || budgets.reserve(dspId, payer, priceNanos, nowMs)) return null;
    shares?.release(publisherId, dspId, payer, priceNanos, nowMs);
    return 'out-of-budget';
  }

  #payerOf(bid: Bid): CatalogueCampaign | null {
    return this.creativeOf(bid)?.campaign ?? null;
  }

  #prepare({ wins, losses }: AuctionOutcome): AuctionResult | null {
    const sold: SoldImp[] = [];
    const failed: Win[] = [];
    let markup = 0;
    for (const win of wins) {
      const imp = this.#tried(win);
      if (imp === null || markup + imp.adm.length > MAX_RESPONSE_MARKUP_CHARS) failed.push(win);
      else {
        sold.push(imp);
        markup += imp.adm.length;
      }
    }
    if (failed.length === 0) return { sold, losses };
    for (const { bid } of failed) this.reject(bid, 'creative-rejected');
    for (const dspId of new Set(failed.map((win) => win.dspId))) this.#loseRound(dspId);
    return null;
  }

  reject(bid: Bid, reason: LossReason): void {
    this.#rejected.set(bid, reason);
  }

  /** Those of bidders that bring no markup; nobody has the time to fetch any more. */
  rejectWithoutMarkup(): void {
    for (const { bids, rendered } of this.#offers) {
      if (rendered) continue;
      for (const { bid } of bids) if (!hasMarkup(bid)) this.reject(bid, 'creative-rejected');
    }
  }

  /**
   * The bid stands again in the auction as one that came with its markup, and is judged as such. It has had its win notice: its
   * `nurl` is called once.
   */
  supplyMarkup(bid: Bid, adm: string): void {
    const supplied = shallowCopy(bid, ['nurl']);
    supplied.adm = adm;
    for (const [position, offer] of this.#offers.entries()) {
      if (!offer.bids.some((offered) => offered.bid === bid)) continue;
      const bids = offer.bids.map((offered) => (offered.bid === bid ? { ...offered, bid: supplied } : offered));
      this.#offers[position] = { ...offer, bids };
    }
  }

  /** The bid has its place under its frequency cap, for the impression of this id. */
  place(bid: Bid, trackingId: string): void {
    this.#placed.set(bid, trackingId);
  }

  isPlaced(bid: Bid): boolean {
    return this.#placed.has(bid);
  }

  /** Gives back what was taken for bids that have lost after all, when the auction was held again. */
  releasePlaces({ sold }: AuctionResult, caps: FrequencyCaps): void {
    if (this.#placed.size === 0) return;
    for (const [bid, trackingId] of this.#placed) {
      if (sold.some((imp) => imp.trackingId === trackingId)) continue;
      caps.release(this.context.auction.viewer.deviceKey!, this.creativeOf(bid)!.campaign.id, trackingId);
    }
  }

  creativeOf(bid: Bid): SoldCreative | undefined {
    return this.context.creatives.get(bid);
  }

  offerOf({ dspId }: Win): BidderOffer {
    return this.#offers.find((offer) => offer.dspId === dspId)!;
  }

  #loseRound(dspId: string): void {
    const lost = (this.#roundsLost.get(dspId) ?? 0) + 1;
    this.#roundsLost.set(dspId, lost);
    if (lost < MOST_ROUNDS_LOST) return;
    for (const offer of this.#offers) {
      if (offer.dspId !== dspId || offer.rendered) continue;
      for (const other of offer.bids) this.reject(other.bid, 'creative-rejected');
    }
  }

  /** Whatever a winner's markup does to what reads it, it costs that winner alone. */
  #tried(win: Win): SoldImp | null {
    try {
      return this.#soldImp(win);
    } catch (error) {
      this.context.failed?.(error, win);
      return null;
    }
  }

  #soldImp(win: Win): SoldImp | null {
    const { auction, region, nowMs, mint } = this.context;
    const { request, publisher, sandbox, viewer } = auction;
    const { nurl, burl, crid } = win.bid;
    const values = winMacroValues(request.id, win, this.offerOf(win));
    const shown = this.creativeOf(win.bid) ?? null;
    const cap = shown?.campaign.cap ?? null;
    const winNoticeUrl = nurl === undefined ? null : substituteMacros(nurl, values);
    const billingNoticeUrl = burl === undefined ? null : substituteMacros(burl, values, 'impressionMs');
    const sale: Sale = {
      auctionId: request.id,
      publisherId: publisher.id,
      partnerId: publisher.partnerId,
      dspId: win.dspId,
      campaignId: shown?.campaign.id ?? null,
      capped: cap === null ? null : { deviceKey: viewer.deviceKey!, windowHours: cap.windowHours },
      crid: crid ?? '',
      priceCpmMicros: win.clearingCpmMicros,
      region,
      sandbox,
      ...(win.format === 'audio' ? { audio: true } : {}),
      issuedAtMs: nowMs,
      billingNoticeUrl,
      ...(carriesWinNotice(winNoticeUrl, billingNoticeUrl, auction) ? { winNoticeUrl } : {}),
    };
    this.#origin ??= this.context.originOf?.() ?? UNKNOWN_ORIGIN;
    const tracking = mint.mintTracking(sale, this.#placed.get(win.bid) ?? newTrackingId(), this.#origin);
    const { trackingId, url, billingUrl, viewUrl, quietWinUrl } = tracking;
    if (billingUrl.length > LONGEST_TRACKING_URL) return null;
    const adm = renderedMarkup(win, shown, { values, trackingId, trackingUrl: url, viewUrl }, this.context);
    if (adm === null) return null;
    const read = auction.player?.pod ? podAdOf(adm, win.bid.dur) : undefined;
    if (read === null) return null;
    const podAd =
      read && viewUrl !== undefined && win.format === 'video' ? withViewabilityTrackers(read, viewUrl) : read;
    const urls = { trackingUrl: url, billingUrl, winNoticeUrl, quietWinUrl };
    return { win, sale, trackingId, ...urls, adm, ...(podAd && { podAd }) };
  }
}

/** Whether a sale's tracking URLs carry the DSP's `nurl`. Of a tag's sale the DSP is told at once. */
function carriesWinNotice(
  winNoticeUrl: string | null,
  billingNoticeUrl: string | null,
  { askedBy }: Pick<SoldRequest, 'askedBy'>,
): winNoticeUrl is string {
  if (winNoticeUrl === null || askedBy === undefined || askedBy.isTag) return false;
  const billingLength = billingNoticeUrl === null ? 0 : encodedLength(billingNoticeUrl);
  return billingLength + encodedLength(winNoticeUrl) <= LONGEST_CARRIED;
}

/** Whether a bid brought its markup; another may bring it with the answer to its win notice. */
export function hasMarkup({ adm }: Bid): boolean {
  return adm !== undefined && adm.trim() !== '';
}

/**
 * Decides and prepares at once, for auctions whose winners need no time. A winner whose markup cannot carry our tracker could
 * never be billed: it loses as `creative-rejected`, its group with it, and the auction is decided again.
 */
export function runAuction(offers: readonly BidderOffer[], context: SaleContext): AuctionResult {
  const run = new AuctionRun(offers, context);
  for (;;) {
    const result = run.conclude(run.decide());
    if (result !== null) return result;
  }
}
