import type { Win } from '../../../exchange/auction/auction.ts';
import { expired } from '../../../exchange/auction/expired.ts';
import { renderCreative } from '../../../exchange/creative/render/render-creative.ts';
import { nanosPerImpression } from '../../../exchange/money/nanos.ts';
import { acceptsDollars } from '../../../exchange/openrtb/currency.ts';
import { substituteMacros } from '../../../exchange/openrtb/macros.ts';
import type { Bidder } from '../../bidders/bidder.ts';
import type { Bidders } from '../../bidders/bidders.ts';
import { askBidders, type BidderReply } from '../../bidders/fan-out.ts';
import { WinnerMarkup } from '../../bidders/winner-markup.ts';
import { ApiError } from '../../errors.ts';
import { DelegateDemand, type DelegateOffers } from '../delegates/delegate-demand.ts';
import type { Demand } from '../explorer/describe-parts.ts';
import type { EdgeParts } from '../parts.ts';
import type { TrackingMint } from '../tracking/mint.ts';
import { lossValues } from './notice-values.ts';
import type { Sales } from './open-sale.ts';
import type { AuctionOrder } from './order.ts';
import { originOf } from './origin-of.ts';
import { OutgoingBidRequest } from './outgoing-request.ts';
import { type BidderOffer, type DemandPart, readReply } from './read-replies.ts';
import { recordAuction } from './record-facts.ts';
import type { RenderWinner } from './sale-terms.ts';
import { sell } from './sell.ts';
import type { SoldImp } from './sold-imp.ts';

/** Runs auctions from the order to what was sold; all of it in this process. */
export class Auctioneer {
  readonly #parts: EdgeParts;
  readonly #bidders: Bidders;
  readonly #delegates: DelegateDemand;
  readonly #markup: WinnerMarkup;
  readonly #mint: TrackingMint;
  readonly #random: () => number;
  readonly #render: RenderWinner;
  readonly #failed = (err: unknown, { dspId }: Win): void =>
    this.#parts.logger.warn({ err, dspId }, 'a winner could not be prepared: its bid was rejected');

  constructor(parts: EdgeParts, bidders: Bidders, mint: TrackingMint) {
    const { delegates, budgets, settings, clock, random } = parts;
    this.#parts = parts;
    this.#bidders = bidders;
    this.#mint = mint;
    this.#random = () => random.next();
    this.#delegates = new DelegateDemand({ ...delegates, budgets, clock, random: this.#random });
    this.#markup = new WinnerMarkup(settings.bidders, clock);
    const { publicCreativesUrl: edgeUrl } = settings;
    this.#render = (creative, { format, imp, device, trackingUrl, servingId }) =>
      renderCreative(creative, delegates.catalogue.assets, { format, imp, device, trackingUrl, servingId, edgeUrl });
  }

  /**
   * Asks the publisher's demand, holds the auction and resolves with what was sold, at most one ad for each imp. Facts
   * and loss notices follow when the caller has answered. Throws AUCTION_TIMEOUT when the process was too busy to keep
   * to the time; bidders that time out are merely no-bids. `unsold` hears what the demand came to where nothing was sold.
   */
  async hold(order: AuctionOrder, unsold?: (demand: Demand) => void): Promise<readonly SoldImp[]> {
    const { delegates } = this.#parts;
    const timeLeftMs = this.#timeLeftMs(order);
    const bidders = order.pool === null ? [] : this.#bidders.inPool(order.pool.id, order.sandbox);
    // Bidders think while delegates are evaluated.
    const asked = bidders.length === 0 ? null : this.#ask(bidders, order, timeLeftMs);
    const evaluated = this.#delegates.ask(order, timeLeftMs);
    const delegated = evaluated instanceof Promise ? await evaluated : evaluated;
    try {
      return await this.#sell(order, delegated, asked, unsold);
    } finally {
      delegates.pace.settled(delegated.bidding);
    }
  }

  async #sell(
    order: AuctionOrder,
    delegated: DelegateOffers,
    asked: Promise<readonly BidderReply[]> | null,
    unsold?: (demand: Demand) => void,
  ): Promise<readonly SoldImp[]> {
    const { clock, settings, delegates, budgets } = this.#parts;
    const { creatives } = delegated;
    const replies: DemandPart[] = [];
    if (asked !== null) for (const reply of await asked) replies.push(readReply(reply, order.request.id));
    const offers: BidderOffer[] = [];
    for (const { offer } of delegated.parts) if (offer !== null) offers.push(offer);
    for (const { offer } of replies) if (offer !== null) offers.push(offer);
    const terms = {
      order,
      region: settings.region,
      blockedCategories: settings.blockedCategories,
      nowMs: clock.now(),
      random: this.#random,
      mint: this.#mint,
      creatives,
      render: this.#render,
      originOf: () => originOf(order, this.#parts.countryOf),
      budgets,
      shares: order.sandbox ? undefined : this.#parts.shares,
      failed: this.#failed,
    };
    const selling = sell(offers, terms, {
      markup: this.#markup,
      caps: delegates.caps,
      clock,
      deadlineMs: this.#deadlineMs(order),
      renderWindowMs: settings.renderWindowMs,
    });
    const sales = selling instanceof Promise ? await selling : selling;
    const tookMs = clock.monotonic() - order.receivedMs;
    const late = tookMs > settings.maxAuctionMs;
    const outcome = late ? unanswered(sales) : sales;
    const demand = { replies, delegates: delegated, sales: outcome };
    setImmediate(() => this.#afterwards(order, offers, demand, tookMs, late));
    if (late) {
      for (const { win, sale, trackingId } of sales.sold) {
        const campaign = creatives.get(win.bid)?.campaign ?? null;
        const priceNanos = nanosPerImpression(sale.priceCpmMicros);
        budgets.giveBack(sale.dspId, campaign, priceNanos, sale.issuedAtMs);
        terms.shares?.giveBack(sale.publisherId, sale.dspId, campaign, priceNanos, sale.issuedAtMs);
        if (sale.capped === null) continue;
        delegates.caps.release(sale.capped.deviceKey, sale.campaignId!, trackingId);
      }
      throw new ApiError('AUCTION_TIMEOUT', `The auction took ${Math.round(tookMs)} ms.`);
    }
    for (const { sale } of sales.sold) {
      if (sale.campaignId !== null) delegates.pace.reserve(sale.campaignId, sale.dspId, sale.priceCpmMicros);
    }
    if (sales.sold.length === 0) unsold?.(demand);
    return sales.sold;
  }

  /** Closes the connections that markup was fetched over. */
  async close(): Promise<void> {
    await this.#markup.close();
  }

  async #ask(bidders: readonly Bidder[], order: AuctionOrder, timeLeftMs: number): Promise<readonly BidderReply[]> {
    const outcome = { reason: 'unsupported-currency', detail: '' } as const;
    if (!acceptsDollars(order.request)) {
      return bidders.map(({ dsp }) => ({ dsp, called: false, outcome, latencyMs: 0 }));
    }
    const { clock, settings } = this.#parts;
    const reading = this.#budgetsRead(bidders);
    let leftMs = timeLeftMs;
    if (reading !== null) {
      const startedMs = clock.monotonic();
      await reading;
      leftMs -= clock.monotonic() - startedMs;
    }
    const { able, exhausted } = this.#byBudget(bidders);
    const replies = await askBidders(able, new OutgoingBidRequest(order, settings), leftMs, clock);
    return exhausted.length === 0 ? replies : [...replies, ...exhausted];
  }

  /** At once, unless a budget was not asked for of late and is being leased. */
  #budgetsRead(bidders: readonly Bidder[]): Promise<void> | null {
    const { budgets, clock } = this.#parts;
    const nowMs = clock.now();
    const unknown = bidders.some(
      ({ dsp }) => dsp.dailyBudgetCents > 0 && budgets.room(dsp.id, null, 0, nowMs) === null,
    );
    return unknown ? budgets.reading() : null;
  }

  /** Who has spent its budget gets no more auctions (specification, "Limits"). */
  #byBudget(bidders: readonly Bidder[]): { readonly able: readonly Bidder[]; readonly exhausted: BidderReply[] } {
    const { budgets, clock } = this.#parts;
    const nowMs = clock.now();
    const exhausted: BidderReply[] = [];
    const able = bidders.filter(({ dsp }) => {
      if (dsp.dailyBudgetCents === 0 || budgets.room(dsp.id, null, 0, nowMs) === true) return true;
      const outcome = { reason: 'budget-exhausted', detail: 'not called' } as const;
      exhausted.push({ dsp, called: false, outcome, latencyMs: 0 });
      return false;
    });
    return { able, exhausted };
  }

  /** What bidders have: the caller's `tmax` less what we need ourselves, never more than our own maximum. */
  #timeLeftMs({ request, receivedMs }: AuctionOrder): number {
    const { maxTimeoutMs, answerMarginMs } = this.#parts.settings.bidders;
    const elapsedMs = this.#parts.clock.monotonic() - receivedMs;
    const wantedMs = request.tmax ? request.tmax - answerMarginMs - elapsedMs : maxTimeoutMs;
    return Math.min(maxTimeoutMs, wantedMs);
  }

  /**
   * When an auction must be over that still waits for its winner's markup; monotonic ms. A caller that names no `tmax` waits for
   * a fetch as long as for bidders.
   */
  #deadlineMs({ request, receivedMs }: AuctionOrder): number {
    const { maxTimeoutMs, answerMarginMs } = this.#parts.settings.bidders;
    return receivedMs + (request.tmax ? request.tmax - answerMarginMs : 2 * maxTimeoutMs);
  }

  #afterwards(
    order: AuctionOrder,
    offers: readonly BidderOffer[],
    demand: Demand,
    latencyMs: number,
    late: boolean,
  ): void {
    const { sales } = demand;
    try {
      this.#parts.wins.add(sales.sold);
      recordAuction(this.#parts.facts, order, demand, latencyMs);
      const nowMs = this.#parts.clock.now();
      for (const { dspId, bids } of offers) if (bids.length > 0) this.#bidders.get(dspId)?.hasBid(nowMs);
      for (const loss of sales.losses) {
        const lurl = loss.offered?.bid.lurl;
        if (lurl === undefined) continue;
        const offer = offers.find(({ dspId }) => dspId === loss.dspId)!;
        const url = substituteMacros(lurl, lossValues(order.request.id, loss, offer));
        const method = this.#bidders.get(loss.dspId)?.dsp.lossNoticeMethod ?? 'POST';
        this.#parts.notices.send('loss', url, loss.dspId, method);
      }
      this.#parts.explorer.auctioned(order, demand, latencyMs, late);
    } catch (err) {
      // Nobody awaits this; thrown from here it would end the process.
      this.#parts.logger.error({ err, auctionId: order.request.id }, 'an auction could not be accounted for');
    }
  }
}

/** Sales that nobody heard of are none. */
function unanswered({ sold, losses }: Sales): Sales {
  return { sold: [], losses: [...losses, ...sold.map(({ win }) => expired(win))] };
}
