import { acceptsDollars } from '../../../exchange/openrtb/currency.ts';
import { substituteMacros } from '../../../exchange/openrtb/macros.ts';
import type { Bidder } from '../../bidders/bidder.ts';
import type { Bidders } from '../../bidders/bidders.ts';
import { askBidders, type BidderReply } from '../../bidders/fan-out.ts';
import { ApiError } from '../../errors.ts';
import type { EdgeParts } from '../parts.ts';
import type { TrackingMint } from '../tracking/mint.ts';
import { lossValues } from './notice-values.ts';
import type { AuctionOrder } from './order.ts';
import { OutgoingBidRequest } from './outgoing-request.ts';
import { type BidderOffer, type DemandPart, readReply } from './read-replies.ts';
import { recordAuction } from './record-facts.ts';
import { type Sales, sell } from './sell.ts';
import type { SoldImp } from './sold-imp.ts';

/** Runs auctions from the order to what was sold; all of it in this process. */
export class Auctioneer {
  readonly #parts: EdgeParts;
  readonly #bidders: Bidders;
  readonly #mint: TrackingMint;
  readonly #random: () => number;

  constructor(parts: EdgeParts, bidders: Bidders, mint: TrackingMint) {
    this.#parts = parts;
    this.#bidders = bidders;
    this.#mint = mint;
    this.#random = () => parts.random.next();
  }

  /**
   * Asks the publisher's demand, holds the auction and resolves with what was sold, at most one ad for each imp. Facts
   * and loss notices follow when the caller has answered. Throws AUCTION_TIMEOUT when the process was too busy to keep
   * to the time; bidders that time out are merely no-bids.
   */
  async hold(order: AuctionOrder): Promise<readonly SoldImp[]> {
    const { clock, settings } = this.#parts;
    const bidders = order.pool === null ? [] : this.#bidders.inPool(order.pool.id, order.sandbox);
    const replies = bidders.length === 0 ? [] : await this.#ask(bidders, order);
    const parts: DemandPart[] = [];
    const offers: BidderOffer[] = [];
    for (const reply of replies) {
      const part = readReply(reply, order.request.id);
      parts.push(part);
      if (part.offer !== null) offers.push(part.offer);
    }
    const sales = sell(offers, {
      order,
      region: settings.region,
      nowMs: clock.now(),
      random: this.#random,
      mint: this.#mint,
    });
    const tookMs = clock.monotonic() - order.receivedMs;
    const late = tookMs > settings.maxAuctionMs;
    setImmediate(() =>
      this.#afterwards(order, parts, offers, late ? { sold: [], losses: sales.losses } : sales, tookMs),
    );
    if (late) throw new ApiError('AUCTION_TIMEOUT', `The auction took ${Math.round(tookMs)} ms.`);
    return sales.sold;
  }

  async #ask(bidders: readonly Bidder[], order: AuctionOrder): Promise<readonly BidderReply[]> {
    const outcome = { reason: 'unsupported-currency', detail: '' } as const;
    if (!acceptsDollars(order.request)) {
      return bidders.map(({ dsp }) => ({ dsp, called: false, outcome, latencyMs: 0 }));
    }
    return askBidders(bidders, new OutgoingBidRequest(order), this.#timeLeftMs(order), this.#parts.clock);
  }

  /** What bidders have: the caller's `tmax` less what we need ourselves, never more than our own maximum. */
  #timeLeftMs({ request, receivedMs }: AuctionOrder): number {
    const { maxTimeoutMs, answerMarginMs } = this.#parts.settings.bidders;
    const elapsedMs = this.#parts.clock.monotonic() - receivedMs;
    const wantedMs = request.tmax ? request.tmax - answerMarginMs - elapsedMs : maxTimeoutMs;
    return Math.min(maxTimeoutMs, wantedMs);
  }

  #afterwards(
    order: AuctionOrder,
    parts: readonly DemandPart[],
    offers: readonly BidderOffer[],
    sales: Sales,
    latencyMs: number,
  ): void {
    try {
      recordAuction(this.#parts.facts, order, parts, sales, latencyMs);
      const nowMs = this.#parts.clock.now();
      for (const { dspId, bids } of offers) if (bids.length > 0) this.#bidders.get(dspId)?.hasBid(nowMs);
      for (const loss of sales.losses) {
        const lurl = loss.offered?.bid.lurl;
        if (lurl === undefined) continue;
        const offer = offers.find(({ dspId }) => dspId === loss.dspId)!;
        this.#parts.notices.send('loss', substituteMacros(lurl, lossValues(order.request.id, loss, offer)));
      }
    } catch (err) {
      // Nobody awaits this; thrown from here it would end the process.
      this.#parts.logger.error({ err, auctionId: order.request.id }, 'an auction could not be accounted for');
    }
  }
}
