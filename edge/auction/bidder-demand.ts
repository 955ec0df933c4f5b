import { acceptsDollars, CURRENCY } from '../../exchange/currency/currency.ts';
import type { CurrencyRates } from '../../exchange/currency/currency-rates.ts';
import { parseBidResponse } from '../../exchange/openrtb/parse-bid-response.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { BidderOffer, DemandParticipation } from '../demand-part.ts';
import type { AuctionDeps } from './auction-deps.ts';
import type { AuctionBidder, BidderReply } from './bidders.ts';
import { OutgoingBidRequest } from './outgoing-request.ts';

/** The error for which bidders could not be asked. */
export class FailedDemand {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** Asks a pool's bidders for bids. */
export class BidderDemand {
  readonly #deps: Pick<AuctionDeps, 'bidders' | 'budgets' | 'settings' | 'clock'>;

  constructor(deps: Pick<AuctionDeps, 'bidders' | 'budgets' | 'settings' | 'clock'>) {
    this.#deps = deps;
  }

  /**
   * Null when there is no bidder to ask. A bidder that times out is a no-bid. The promise never rejects: the auction
   * evaluates delegates before it waits for it, and may fail meanwhile.
   */
  ask(context: AuctionContext, timeLeftMs: number): Promise<readonly BidderReply[] | FailedDemand> | null {
    const { pool, sandbox } = context;
    if (pool === null) return null;
    const bidders = this.#deps.bidders.inPool(pool.id, sandbox);
    return bidders.length === 0 ? null : this.#ask(bidders, context, timeLeftMs);
  }

  async #ask(
    bidders: readonly AuctionBidder[],
    context: AuctionContext,
    timeLeftMs: number,
  ): Promise<readonly BidderReply[] | FailedDemand> {
    try {
      const outcome = { reason: 'unsupported-currency', detail: '' } as const;
      if (!acceptsDollars(context.request)) {
        return bidders.map(({ dsp }) => ({ dsp, called: false, outcome, latencyMs: 0 }));
      }
      const { clock, settings } = this.#deps;
      const reading = this.#budgetsRead(bidders);
      let leftMs = timeLeftMs;
      if (reading !== null) {
        const startedMs = clock.monotonic();
        await reading;
        leftMs -= clock.monotonic() - startedMs;
      }
      const { able, exhausted } = this.#byBudget(bidders);
      const replies = await this.#deps.bidders.ask(able, new OutgoingBidRequest(context, settings), leftMs);
      return exhausted.length === 0 ? replies : [...replies, ...exhausted];
    } catch (error) {
      return new FailedDemand(error);
    }
  }

  /** Null when all budgets are known in memory; a promise while one that was idle is being leased. */
  #budgetsRead(bidders: readonly AuctionBidder[]): Promise<void> | null {
    const { budgets, clock } = this.#deps;
    const nowMs = clock.now();
    const unknown = bidders.some(
      ({ dsp }) => dsp.dailyBudgetCents > 0 && budgets.available(dsp.id, null, 0, nowMs) === null,
    );
    return unknown ? budgets.pendingLeases() : null;
  }

  /** Splits bidders by budget: a DSP that has spent its budget gets no more auctions (specification, "Limits"). */
  #byBudget(bidders: readonly AuctionBidder[]): {
    readonly able: readonly AuctionBidder[];
    readonly exhausted: BidderReply[];
  } {
    const { budgets, clock } = this.#deps;
    const nowMs = clock.now();
    const exhausted: BidderReply[] = [];
    const able = bidders.filter(({ dsp }) => {
      if (dsp.dailyBudgetCents === 0 || budgets.available(dsp.id, null, 0, nowMs) === true) return true;
      const outcome = { reason: 'budget-exhausted', detail: 'not called' } as const;
      exhausted.push({ dsp, called: false, outcome, latencyMs: 0 });
      return false;
    });
    return { able, exhausted };
  }
}

/**
 * Reads a bidder's reply into the auction's form and checks that it answers the request's id. `rates` convert bids in
 * other currencies; null: they are refused.
 */
export function readReply(reply: BidderReply, requestId: string, rates: CurrencyRates | null): DemandParticipation {
  const { dsp, called, latencyMs, outcome } = reply;
  if ('reason' in outcome) return { dsp, called, latencyMs, offer: null, reason: outcome.reason };
  const reading = parseBidResponse(outcome.document, requestId);
  if (reading.outcome === 'no-bid') return { dsp, called, latencyMs, offer: null, reason: 'no-bid' };
  if (reading.outcome === 'invalid') return { dsp, called, latencyMs, offer: null, reason: reading.reason };
  const { bidId, currency, bids, malformed } = reading;
  const offer: BidderOffer = { dspId: dsp.id, bidId, currency, bids, malformed };
  const dollarsPerUnit = rates === null || currency === CURRENCY ? undefined : rates.dollarsPerUnit(currency);
  const converted = dollarsPerUnit === undefined ? offer : { ...offer, dollarsPerUnit };
  return { dsp, called, latencyMs, offer: converted, reason: null };
}
