import { onceTurnIsWritten } from '../../async/turn-end.ts';
import type { Win } from '../../exchange/auction/auction.ts';
import { expiredLoss } from '../../exchange/auction/expired-loss.ts';
import { renderCreative } from '../../exchange/creative/render/render-creative.ts';
import { nanosPerImpression } from '../../exchange/money/nanos.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';
import type { AdRequest, AuctionContext } from '../auction-context.ts';
import { DelegateDemand } from '../delegates/delegate-demand.ts';
import type { SoldCreative } from '../delegates/sold-creative.ts';
import type { BidderOffer, DemandParticipation } from '../demand-part.ts';
import type { PendingBids } from '../pace/pending-bids.ts';
import { RefusedRequest } from '../refused-request.ts';
import { screenRequest } from '../screening/screen-request.ts';
import type { TrackingMint } from '../tracking/mint.ts';
import type { AuctionDeps } from './auction-deps.ts';
import type { AuctionEndpoint } from './auction-endpoint.ts';
import { AuctionRun } from './auction-run.ts';
import { BidderDemand, FailedDemand, readReply } from './bidder-demand.ts';
import type { AuctionResult } from './held-auction.ts';
import { requestOriginOf } from './origin-of.ts';
import { type PreparationPolicy, prepareWinners } from './prepare-winner.ts';
import { recordAuction } from './record-auction.ts';
import { resolveRequest } from './resolve-request.ts';
import type { RenderWinner, SaleContext } from './sale-context.ts';
import type { SoldImp } from './sold-imp.ts';
import { isInTestMode } from './test-mode.ts';

/** Runs auctions in this process, from an ad request to its answer. */
export class Auctioneer {
  readonly #deps: AuctionDeps;
  readonly #bidders: BidderDemand;
  readonly #delegates: DelegateDemand;
  readonly #mint: TrackingMint;
  readonly #random: () => number;
  readonly #render: RenderWinner;
  readonly #failed = (err: unknown, { dspId }: Win): void =>
    this.#deps.logger.warn({ err, dspId }, 'a winner could not be prepared: its bid was rejected');

  readonly #unjudged = (err: unknown, dspId: string): void =>
    this.#deps.logger.error({ err, dspId }, 'a bid could not be judged: it was rejected');

  constructor(deps: AuctionDeps, mint: TrackingMint) {
    const { delegates, budgets, clock, random } = deps;
    this.#deps = deps;
    this.#mint = mint;
    this.#random = () => random.next();
    this.#bidders = new BidderDemand(deps);
    this.#delegates = new DelegateDemand({ ...delegates, budgets, clock, random: this.#random });
    this.#render = (creative, terms) => renderCreative(creative, delegates.catalogue.assets, terms);
  }

  /**
   * Handles one ad request: resolve → screen → ask → decide → prepare → answer → record. At most one ad is sold for
   * each imp. Facts and loss notices follow after the caller has its answer.
   *
   * Throws what {@link resolveRequest} throws, FORBIDDEN for a blocked request, and AUCTION_TIMEOUT when the process
   * was too busy to keep its time limit. A bidder that times out is a no-bid. A sale whose answer could not be written
   * is none: its reservations are released.
   */
  async answer<Asked extends AdRequest, Answer>(
    adRequest: Asked,
    endpoint: AuctionEndpoint<Asked, Answer>,
  ): Promise<Answer> {
    const { delegates, settings, clock } = this.#deps;

    // Resolve: find the publisher of the inventory and the environment in which it is sold.
    const context = resolveRequest(this.#deps, adRequest);

    // Screen: refuse what must not be auctioned, and let a repeat join the auction that is under way.
    screenRequest(this.#deps, context);
    endpoint.screened(adRequest);
    const underWay = endpoint.repeats === null ? null : endpoint.repeats.enter(context, adRequest);
    if (underWay instanceof Promise) return underWay;

    let pending: PendingBids | null = null;
    try {
      // Ask: delegates are evaluated while bidders answer.
      const timeLeftMs = this.#timeLeftMs(context);
      const bidderReplies = this.#bidders.ask(context, timeLeftMs);
      const evaluating = context.trace?.child('evaluate delegates', 'internal');
      const delegateOffers = this.#delegates.ask(context, timeLeftMs);
      const delegateDemand = delegateOffers instanceof Promise ? await delegateOffers : delegateOffers;
      evaluating?.end();
      pending = delegateDemand.pending;
      const replies: DemandParticipation[] = [];
      if (bidderReplies !== null) {
        pending?.add();
        const answered = await bidderReplies;
        if (answered instanceof FailedDemand) throw answered.error;
        const rates = context.currencies?.rates ?? null;
        for (const reply of answered) replies.push(readReply(reply, context.request.id, rates));
      }
      const offers: BidderOffer[] = [];
      for (const { offer } of delegateDemand.participations) if (offer !== null) offers.push(offer);
      for (const { offer } of replies) if (offer !== null) offers.push(offer);

      // Decide and prepare, until every winner can be sold.
      const deciding = context.trace?.child('decide and prepare', 'internal');
      const run = new AuctionRun(offers, this.#saleContext(context, delegateDemand.creatives));
      const preparation = this.#preparationPolicy(context);
      let result: AuctionResult | null = null;
      while (result === null) {
        const outcome = run.decide();
        const prepared = prepareWinners(run, outcome, preparation);
        if (prepared instanceof Promise) pending?.add();
        result = prepared instanceof Promise ? await prepared : prepared;
      }
      deciding?.end();
      context.trace?.set('exchange.imps_sold', result.sold.length);

      // Answer: in the endpoint's protocol, unless the auction took too long.
      const tookMs = clock.monotonic() - context.receivedMs;
      const held = { replies, delegates: delegateDemand, result };
      let answer: Answer;
      try {
        if (tookMs > settings.maxAuctionMs) {
          throw new RefusedRequest('AUCTION_TIMEOUT', `The auction took ${Math.round(tookMs)} ms.`);
        }
        answer = endpoint.answer(adRequest, context, held);
      } catch (error) {
        const unsold = { replies, delegates: delegateDemand, result: expireSales(result) };
        onceTurnIsWritten(() => recordAuction(this.#deps, context, offers, unsold, tookMs, true));
        this.#withdraw(context, result.sold, delegateDemand.creatives);
        throw error;
      }
      for (const { sale } of result.sold) {
        if (sale.campaignId !== null && !sale.test)
          delegates.pace.reserve(sale.campaignId, sale.dspId, sale.priceCpmMicros);
      }
      if (underWay !== null) endpoint.repeats!.answered(underWay, answer);

      // Record: the auction is counted and written down after its answer has left.
      onceTurnIsWritten(() => recordAuction(this.#deps, context, offers, held, tookMs, false));
      return answer;
    } catch (error) {
      if (underWay !== null) endpoint.repeats!.failed(underWay, error);
      throw error;
    } finally {
      pending?.remove();
    }
  }

  #saleContext(context: AuctionContext, creatives: ReadonlyMap<Bid, SoldCreative>): SaleContext {
    const { clock, settings, budgets, shares, countryOf, auctionCreatives } = this.#deps;
    const isTest = isInTestMode(context);
    return {
      auction: context,
      region: settings.region,
      blockedCategories: settings.blockedCategories,
      nowMs: clock.now(),
      random: this.#random,
      mint: this.#mint,
      creatives,
      render: this.#render,
      edgeUrl: settings.publicCreativesUrl,
      review: auctionCreatives.reviewFor(context),
      hosted: (win, offer, imp) => auctionCreatives.hostedMarkup(context.request.id, win, offer, imp),
      originOf: () => requestOriginOf(context, countryOf),
      budgets: isTest ? undefined : budgets,
      shares: isTest || context.sandbox ? undefined : shares,
      failed: this.#failed,
      unjudged: this.#unjudged,
    };
  }

  #preparationPolicy(context: AuctionContext): PreparationPolicy {
    const { winnerMarkup, delegates, clock, settings } = this.#deps;
    return {
      markup: winnerMarkup,
      caps: delegates.caps,
      clock,
      deadlineMs: this.#deadlineMs(context),
      renderWindowMs: settings.renderWindowMs,
    };
  }

  /** Time for bidders, ms: the caller's `tmax` less the exchange's own margin, and at most the exchange's maximum. */
  #timeLeftMs({ request, receivedMs }: AuctionContext): number {
    const { maxTimeoutMs, answerMarginMs } = this.#deps.settings.bidders;
    const elapsedMs = this.#deps.clock.monotonic() - receivedMs;
    const wantedMs = request.tmax ? request.tmax - answerMarginMs - elapsedMs : maxTimeoutMs;
    return Math.min(maxTimeoutMs, wantedMs);
  }

  /**
   * Monotonic ms by which an auction must end that still fetches its winner's markup. Without a `tmax`, a fetch gets as
   * long as bidders do; with any, the exchange's own margin is left before an auction has taken too long.
   */
  #deadlineMs({ request, receivedMs }: AuctionContext): number {
    const { maxAuctionMs, bidders } = this.#deps.settings;
    const { maxTimeoutMs, answerMarginMs } = bidders;
    const wantedMs = request.tmax ? request.tmax - answerMarginMs : 2 * maxTimeoutMs;
    return receivedMs + Math.min(wantedMs, maxAuctionMs - answerMarginMs);
  }

  /** Releases the reservations of sales that the caller will never see: the auction took too long, or failed. */
  #withdraw({ sandbox }: AuctionContext, sold: readonly SoldImp[], creatives: ReadonlyMap<Bid, SoldCreative>): void {
    const { budgets, shares, delegates } = this.#deps;
    for (const { win, sale, trackingId } of sold) {
      if (sale.test) continue;
      const campaign = creatives.get(win.bid)?.campaign ?? null;
      const priceNanos = nanosPerImpression(sale.priceCpmMicros);
      budgets.release(sale.dspId, campaign, priceNanos, sale.issuedAtMs);
      if (!sandbox) shares?.release(sale.publisherId, sale.dspId, campaign, priceNanos, sale.issuedAtMs);
      if (sale.capped === null) continue;
      delegates.caps.release(sale.capped.deviceKey, sale.campaignId!, trackingId);
    }
  }
}

/** Turns the sales of an auction without an answer into losses. */
function expireSales({ sold, losses }: AuctionResult): AuctionResult {
  return { sold: [], losses: [...losses, ...sold.map(({ win }) => expiredLoss(win))] };
}
