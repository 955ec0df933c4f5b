import { type AuctionOutcome, decideAuction, type Win } from '../../exchange/auction/auction.ts';
import type { LossReason } from '../../exchange/auction/loss-reason.ts';
import { timedImps, withDuration, withDurations } from '../../exchange/auction/pods/with-durations.ts';
import { type Rejection, rejectedFor } from '../../exchange/auction/rejection.ts';
import { firstInsecureUrl } from '../../exchange/auction/secure-markup.ts';
import { nanosPerImpression } from '../../exchange/money/nanos.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';
import { MAX_NOTICE_URL, substituteMacros } from '../../exchange/openrtb/macros.ts';
import { shallowCopy } from '../../exchange/openrtb/shallow-copy.ts';
import { podAdOf, withViewabilityTrackers } from '../../exchange/vast/pod.ts';
import type { CatalogueCampaign } from '../catalogue/kept-campaign.ts';
import type { FrequencyCaps } from '../delegates/frequency-caps.ts';
import type { SoldCreative } from '../delegates/sold-creative.ts';
import type { BidderOffer } from '../demand-part.ts';
import { type RequestOrigin, UNKNOWN_ORIGIN } from '../tracking/request-origin.ts';
import type { Sale } from '../tracking/sale.ts';
import { newTrackingId } from '../tracking/tracking-id.ts';
import { mergeBlockedCategories } from './blocked-categories.ts';
import { carriesWinNotice } from './carried-win-notice.ts';
import type { AuctionResult } from './held-auction.ts';
import { hasMarkup, type LosingBids, LostRounds, losingBidsOf, unfetchedOf } from './lost-rounds.ts';
import { winMacroValues } from './notice-values.ts';
import { renderedMarkup } from './rendered-markup.ts';
import type { SaleContext } from './sale-context.ts';
import type { SoldImp } from './sold-imp.ts';
import { isInTestMode } from './test-mode.ts';

/** A winner that cannot be sold, and why. */
export type FailedWin = readonly [Win, Rejection];

/**
 * Characters that every server and proxy accepts in a request line (RFC 9110 §4.1). A longer tracking URL would be
 * rendered and never be called: a DSP with a long enough `burl` would get impressions for nothing.
 */
const LONGEST_TRACKING_URL = 8_000;

/**
 * Characters of markup in one answer. Fifty imps with usual markup take a tenth of it. A win whose markup does not fit
 * loses, so that a small request cannot ask for an answer of unbounded size.
 */
export const MAX_RESPONSE_MARKUP_CHARS = 2_097_152;

const TOO_MUCH_MARKUP = rejectedFor('creative-rejected', 'the answer has no room left for its markup');
const TOO_LONG_NOTICES = rejectedFor('creative-rejected', 'its billing notice makes a longer URL than players call');
const NO_AD_OF_A_POD = rejectedFor(
  'creative-rejected',
  'its VAST holds no single linear ad that can be joined in a pod',
);
const NO_TIME = rejectedFor('creative-rejected', 'no time was left to fetch its markup');

/** One auction of one context and its state so far. It is evaluated again until every winner can be sold. */
export class AuctionRun {
  readonly context: SaleContext;
  readonly #offers: BidderOffer[];
  readonly #timedImps: ReadonlySet<string>;
  readonly #draws: number[] = [];
  readonly #rejected = new Map<Bid, Rejection>();
  /** Found once for all rounds: markup of plain URLs is dear to read. */
  readonly #insecureUrls = new Map<Bid, string | null>();
  readonly #lostRounds = new LostRounds();
  /** Bids whose markup was fetched since the auction was last evaluated. */
  readonly #supplied = new Map<Bid, LosingBids>();
  /** Bids that hold a place under a frequency cap, each with the tracking id that the place was taken with. */
  readonly #placed = new Map<Bid, string>();
  #hasToldUnjudged = false;
  /** Computed at the first sale: most requests sell nothing. */
  #origin: RequestOrigin | null = null;

  constructor(offers: readonly BidderOffer[], context: SaleContext) {
    this.context = context;
    this.#timedImps = timedImps(context.auction.request);
    this.#offers = withDurations(offers, this.#timedImps);
  }

  /**
   * Evaluates the auction. Bidders whose fetched markup now loses may lose their other bids without markup, as it is
   * fetched in vain: then the auction is evaluated without those.
   */
  decide(): AuctionOutcome {
    const outcome = this.#evaluate();
    return this.#failSupplied(outcome) ? this.#evaluate() : outcome;
  }

  /**
   * Equal bids keep the draws of the first round in every later round, so that a bidder whose win notice was called
   * does not lose to a draw.
   */
  #evaluate(): AuctionOutcome {
    const { auction, blockedCategories } = this.context;
    let draws = 0;
    const random = () => {
      const draw = this.#draws[draws] ?? this.context.random();
      this.#draws[draws++] = draw;
      return draw;
    };
    const { request, publisher, pool } = auction;
    const { review, unjudged } = this.context;
    return decideAuction({
      request,
      offers: this.#offers,
      rejected: this.#rejected,
      review:
        review &&
        ((bid, dspId, advertisers) => review(bid, this.#offerOfDsp(dspId), this.creativeOf(bid), advertisers)),
      insecureUrlOf: this.#insecureUrlOf,
      random,
      failed: unjudged && this.#unjudged,
      terms: {
        publisherFloorCpmMicros: publisher.floorCpmMicros,
        poolFloorCpmMicros: pool?.floorCpmMicros ?? 0,
        blockedCategories: mergeBlockedCategories(publisher.blockedCategories, blockedCategories),
        blockedDomains: publisher.blockedDomains,
      },
    });
  }

  readonly #insecureUrlOf = (markup: string, bid: Bid): string | null => {
    const known = this.#insecureUrls.get(bid);
    if (known !== undefined) return known;
    const found = firstInsecureUrl(markup);
    this.#insecureUrls.set(bid, found);
    return found;
  };

  /** An answer has up to 500 bids, and each round judges them again: one is enough to tell. */
  readonly #unjudged = (error: unknown, dspId: string): void => {
    if (this.#hasToldUnjudged) return;
    this.#hasToldUnjudged = true;
    this.context.unjudged?.(error, dspId);
  };

  /**
   * Reserves budget for the wins and prepares them. Returns null when a winner could not be sold: the auction must be
   * evaluated again. Each sold imp is paid from its own budgets; a win that is not sold holds no reservation.
   */
  conclude(outcome: AuctionOutcome): AuctionResult | null {
    const { wins } = outcome;
    const unpaid = this.#pay(wins);
    if (unpaid.length > 0) {
      this.fail(unpaid, wins);
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

  /** Reserves budget for all wins or for none. Returns the wins that cannot be paid. */
  #pay(wins: readonly Win[]): readonly FailedWin[] {
    const paid: Win[] = [];
    const unpaid: FailedWin[] = [];
    for (const win of wins) {
      const reason = this.#unpayable(win);
      if (reason === null) paid.push(win);
      else unpaid.push([win, rejectedFor(reason)]);
    }
    if (unpaid.length > 0) this.releaseReservations(paid);
    return unpaid;
  }

  /**
   * Reserves one win's price in its budgets and in the publisher's shares of them. Returns null when it is reserved,
   * else the reason why not.
   */
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
    const failed: FailedWin[] = [];
    let markup = 0;
    for (const win of wins) {
      const imp = this.#tried(win);
      if ('reason' in imp) failed.push([win, imp]);
      else if (markup + imp.adm.length > MAX_RESPONSE_MARKUP_CHARS) failed.push([win, TOO_MUCH_MARKUP]);
      else {
        sold.push(imp);
        markup += imp.adm.length;
      }
    }
    if (failed.length === 0) return { sold, losses };
    this.fail(failed);
    return null;
  }

  /**
   * Rejects the winners of one round that cannot be sold. Bidders that have lost too many rounds lose further bids: one
   * may send 500, and each could cost an evaluation of all. `others` are winners of the round that keep their chance.
   */
  fail(failed: readonly FailedWin[], others: readonly Win[] = []): void {
    const lost: LosingBids[] = [];
    for (const [win, rejection] of failed) {
      this.reject(win.bid, rejection);
      const bids = losingBidsOf(win, rejection, this.creativeOf(win.bid) !== undefined);
      if (bids !== null) lost.push(bids);
    }
    this.#countRound(lost, others);
  }

  /**
   * Counts a lost round for the bidders whose fetched markup loses. Returns whether further bids were rejected for it.
   */
  #failSupplied({ losses }: AuctionOutcome): boolean {
    if (this.#supplied.size === 0) return false;
    const lost: LosingBids[] = [];
    for (const { offered } of losses) {
      const bids = offered === null ? undefined : this.#supplied.get(offered.bid);
      if (bids !== undefined) lost.push(bids);
    }
    this.#supplied.clear();
    const rejected = this.#rejected.size;
    this.#countRound(lost, []);
    return this.#rejected.size > rejected;
  }

  #countRound(lost: readonly LosingBids[], others: readonly Win[]): void {
    for (const bids of this.#lostRounds.count(lost)) this.#rejectAll(bids, others);
  }

  reject(bid: Bid, rejection: Rejection): void {
    this.#rejected.set(bid, rejection);
  }

  /** Rejects the bidders' bids without markup: there is no time left to fetch any. */
  rejectWithoutMarkup(): void {
    for (const { bids, rendered } of this.#offers) {
      if (rendered) continue;
      for (const { bid } of bids) if (!hasMarkup(bid)) this.reject(bid, NO_TIME);
    }
  }

  /**
   * Puts the bid back into the auction as one that came with its markup, to be judged as such. Its win notice has
   * already been called, and a `nurl` is called once, so the new bid has none.
   */
  supplyMarkup(bid: Bid, adm: string): void {
    const whole = shallowCopy(bid, ['nurl']);
    whole.adm = adm;
    // Its duration alone is read: to read those of the bidder's other bids again at each answer would be dear.
    const supplied = withDuration(whole, this.#timedImps);
    for (const [position, offer] of this.#offers.entries()) {
      if (!offer.bids.some((offered) => offered.bid === bid)) continue;
      const bids = offer.bids.map((offered) => (offered.bid === bid ? { ...offered, bid: supplied } : offered));
      this.#offers[position] = { ...offer, bids };
      this.#supplied.set(supplied, unfetchedOf(offer.dspId));
    }
  }

  /** Records that the bid holds a place under its frequency cap, for the impression with this id. */
  place(bid: Bid, trackingId: string): void {
    this.#placed.set(bid, trackingId);
  }

  isPlaced(bid: Bid): boolean {
    return this.#placed.has(bid);
  }

  /** Releases the places of bids that lost in the end, because the auction was evaluated again. */
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
    return this.#offerOfDsp(dspId)!;
  }

  #offerOfDsp(dspId: string): BidderOffer | undefined {
    return this.#offers.find((offer) => offer.dspId === dspId);
  }

  #rejectAll({ dspId, rejection, includes }: LosingBids, others: readonly Win[]): void {
    const kept = new Set(others.map(({ bid }) => bid));
    for (const offer of this.#offers) {
      if (offer.dspId !== dspId || offer.rendered) continue;
      for (const { bid } of offer.bids)
        if (includes(bid) && !kept.has(bid) && !this.#rejected.has(bid)) this.reject(bid, rejection);
    }
  }

  /** Returns the reason why the winner loses; one that throws as it is prepared does, and costs no other. */
  #tried(win: Win): SoldImp | Rejection {
    try {
      return this.#soldImp(win);
    } catch (error) {
      this.context.failed?.(error, win);
      return rejectedFor('creative-rejected');
    }
  }

  #soldImp(win: Win): SoldImp | Rejection {
    const { auction, region, nowMs, mint } = this.context;
    const { request, publisher, sandbox, viewer } = auction;
    const { nurl, burl, crid } = win.bid;
    const offer = this.offerOf(win);
    const values = winMacroValues(request.id, win, offer);
    const shown = this.creativeOf(win.bid) ?? null;
    const isTest = isInTestMode(auction);
    const cap = isTest ? null : (shown?.campaign.cap ?? null);
    const winNoticeUrl = nurl === undefined ? null : substituteMacros(nurl, values, MAX_NOTICE_URL);
    const billingNoticeUrl =
      burl === undefined || isTest ? null : substituteMacros(burl, values, MAX_NOTICE_URL, 'impressionMs');
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
      ...(isTest ? { test: true } : {}),
      issuedAtMs: nowMs,
      billingNoticeUrl,
      ...(carriesWinNotice(winNoticeUrl, billingNoticeUrl, auction) ? { winNoticeUrl } : {}),
    };
    this.#origin ??= this.context.originOf?.() ?? UNKNOWN_ORIGIN;
    const id = this.#placed.get(win.bid) ?? newTrackingId();
    const tracking = mint.mintTracking(sale, id, this.#origin, auction.trace?.traceparent);
    const { trackingId, url, billingUrl, viewUrl, quietWinUrl } = tracking;
    if (billingUrl.length > LONGEST_TRACKING_URL) return TOO_LONG_NOTICES;
    const rendered = renderedMarkup(win, shown, { offer, values, trackingId, trackingUrl: url, viewUrl }, this.context);
    if ('refusal' in rendered) return rendered.refusal;
    const { adm } = rendered;
    const read = auction.player?.pod ? podAdOf(adm, win.bid.dur) : undefined;
    if (read === null) return NO_AD_OF_A_POD;
    const podAd =
      read && viewUrl !== undefined && win.format === 'video' ? withViewabilityTrackers(read, viewUrl) : read;
    const urls = { trackingUrl: url, billingUrl, winNoticeUrl, quietWinUrl };
    return { win, sale, trackingId, ...urls, adm, ...(podAd && { podAd }) };
  }
}

/**
 * Decides and prepares in one go, for auctions whose winners need no asynchronous work. A winner whose markup cannot
 * carry the exchange's tracker could never be billed: it loses as `creative-rejected`, its group with it, and the
 * auction is decided again.
 */
export function runAuction(offers: readonly BidderOffer[], context: SaleContext): AuctionResult {
  const run = new AuctionRun(offers, context);
  for (;;) {
    const result = run.conclude(run.decide());
    if (result !== null) return result;
  }
}
