import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { NoBidReason } from '../../exchange/auction/loss-reason.ts';
import { acceptsDollars, CURRENCY } from '../../exchange/currency/currency.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';
import type { OfferedBid } from '../../exchange/openrtb/parse-bid-response.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { isInTestMode } from '../auction/test-mode.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { EdgeBudgets } from '../budgets/edge-budgets.ts';
import type { DelegateCatalogue } from '../catalogue/delegate-catalogue.ts';
import { CreativeRotation } from '../catalogue/turns.ts';
import type { DemandParticipation } from '../demand-part.ts';
import type { CampaignPace, RequestBidTotals } from '../pace/campaign-pace.ts';
import { PendingBids } from '../pace/pending-bids.ts';
import { delegateBidOf } from './delegate-bid.ts';
import type { FrequencyCap, FrequencyCaps } from './frequency-caps.ts';
import { matchesByDsp } from './in-order.ts';
import { type BidPlan, planBid } from './plan-bid.ts';
import type { SoldCreative } from './sold-creative.ts';
import { type UnmatchedParticipations, unmatchedParticipations } from './unmatched-parts.ts';

/** The offers of one pool's delegates for one request. */
export interface DelegateOffers {
  /** One participation for each delegate with a matching campaign. */
  readonly participations: readonly DemandParticipation[];
  /**
   * The evaluated delegates; those without an entry in `participations` had no matching campaign. Null where none was
   * evaluated.
   */
  readonly unmatched: UnmatchedParticipations | null;
  /** The creative of each bid. */
  readonly creatives: ReadonlyMap<Bid, SoldCreative>;
  /** The auctioneer adds them before it waits, and removes them when the auction is over; null without any. */
  readonly pending: PendingBids | null;
  /** The plans of the bids, for explanations: the campaigns considered, and those whose caps the viewer has reached. */
  readonly plans: readonly BidPlan[];
  readonly exhausted: ReadonlySet<string>;
}

export interface DelegateDemandDeps {
  readonly catalogue: DelegateCatalogue;
  readonly pace: CampaignPace;
  readonly budgets: Pick<EdgeBudgets, 'available' | 'pendingLeases'>;
  readonly caps: FrequencyCaps;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

interface BidPlans {
  readonly made: readonly BidPlan[];
  /** Nano-dollars that the bids would cost, by campaign and by DSP. */
  readonly bidding: RequestBidTotals;
}

type OffersWithoutPendingBids = Omit<DelegateOffers, 'pending'>;

const NONE_EXHAUSTED: ReadonlySet<string> = new Set();
const NO_TOTALS: RequestBidTotals = new Map();
const NO_OFFERS: DelegateOffers = {
  participations: [],
  unmatched: null,
  creatives: new Map(),
  pending: null,
  plans: [],
  exhausted: NONE_EXHAUSTED,
};

/** Bids for delegates, in this process (specification, "Demand source", mode `delegate`). */
export class DelegateDemand {
  readonly #deps: DelegateDemandDeps;
  readonly #rotation = new CreativeRotation();

  constructor(deps: DelegateDemandDeps) {
    this.#deps = deps;
  }

  /**
   * A delegate bids once for an imp: with its first campaign, by priority and then by bid, whose pace permits it, that
   * has a creative to show and whose frequency cap the viewer has not reached. The result is immediate unless one of
   * those campaigns has a cap, or has a spend that must be read first. The caps are asked once for all campaigns and
   * the spend of all is waited for once, both within `timeLeftMs`.
   */
  ask(context: AuctionContext, timeLeftMs: number): DelegateOffers | Promise<DelegateOffers> {
    const { request, pool, sandbox } = context;
    if (pool === null) return NO_OFFERS;
    const { catalogue, clock } = this.#deps;
    const delegates = catalogue.inPool(pool.id, sandbox);
    if (delegates.length === 0) return NO_OFFERS;
    if (!acceptsDollars(request)) return { ...NO_OFFERS, participations: delegates.map(notCalledParticipation) };
    const plans = this.#plans(context, pool.id);
    const reading = plans.made.some(({ hasUnknownBudget: unread }) => unread) ? this.#reading() : null;
    if (reading === null) return this.#offersFor(delegates, plans, context, timeLeftMs);
    const startedMs = clock.monotonic();
    return this.#inTime(reading, timeLeftMs).then(() => {
      const leftMs = timeLeftMs - (clock.monotonic() - startedMs);
      return this.#offersFor(delegates, this.#plans(context, pool.id), context, leftMs);
    });
  }

  #plans({ request, sandbox, publisher, viewer }: AuctionContext, poolId: string): BidPlans {
    const { catalogue, clock, pace, budgets, random } = this.#deps;
    const nowMs = clock.now();
    const made: BidPlan[] = [];
    const bidding = new Map<string, number>();
    const terms = { catalogue, pace, budgets, nowMs, random, viewer, bidSoFar: bidding };
    for (const imp of request.imp) {
      const view = { request, imp, publisherGenre: publisher.contentGenre };
      const matches = catalogue.match(view, poolId, sandbox, nowMs);
      for (const [dspId, own] of matchesByDsp(matches)) made.push(planBid(dspId, own, view, terms));
    }
    return { made, bidding };
  }

  #offersFor(
    delegates: readonly DspProjection[],
    { made: plans, bidding }: BidPlans,
    context: AuctionContext,
    timeLeftMs: number,
  ): DelegateOffers | Promise<DelegateOffers> {
    const pending = new PendingBids(this.#deps.pace, isInTestMode(context) ? NO_TOTALS : bidding);
    const caps = capsOf(plans);
    if (caps === null) {
      const { participations, unmatched, creatives } = this.#offers(delegates, plans, NONE_EXHAUSTED);
      return { participations, unmatched, creatives, pending, plans, exhausted: NONE_EXHAUSTED };
    }
    pending.add();
    return this.#afterCaps(delegates, plans, [...caps.values()], context, timeLeftMs).then(
      (offers) => ({ ...offers, pending }),
      (error) => {
        pending.remove();
        throw error;
      },
    );
  }

  async #afterCaps(
    delegates: readonly DspProjection[],
    plans: readonly BidPlan[],
    caps: readonly FrequencyCap[],
    { viewer }: AuctionContext,
    timeLeftMs: number,
  ): Promise<OffersWithoutPendingBids> {
    return this.#offers(delegates, plans, await this.#exhausted(viewer.deviceKey!, caps, timeLeftMs));
  }

  #offers(
    delegates: readonly DspProjection[],
    plans: readonly BidPlan[],
    exhausted: ReadonlySet<string>,
  ): OffersWithoutPendingBids {
    const bids = new Map<string, OfferedBid[]>();
    const reasons = new Map<string, NoBidReason>();
    const creatives = new Map<Bid, SoldCreative>();
    const turns = this.#rotation.ofRequest();
    for (const { dspId, imp, candidates, reason } of plans) {
      const candidate = candidates.find(({ campaign: { id } }) => !exhausted.has(id));
      if (candidate === undefined) {
        reasons.set(dspId, candidates.length > 0 ? 'frequency-cap' : reason);
        continue;
      }
      const { campaign: kept, unpacked, eligibleCreatives, ruleId } = candidate;
      const chosen = unpacked.choose(eligibleCreatives, turns, this.#deps.random);
      const bid = delegateBidOf(String(creatives.size + 1), imp, candidate, chosen);
      creatives.set(bid, { campaign: kept, creative: chosen.creative, ruleId });
      const offered = { bid, seat: null, group: null, knownAdvertisers: chosen.knownAdvertisers };
      const others = bids.get(dspId);
      if (others) others.push(offered);
      else bids.set(dspId, [offered]);
    }
    const unmatched = unmatchedParticipations(delegates);
    const participations: DemandParticipation[] = [];
    const settle = (dspId: string, offer: DemandParticipation['offer'], reason: NoBidReason | null) => {
      const dsp = unmatched.delegate(dspId);
      if (dsp === undefined) return;
      const called = reason !== 'budget-exhausted' || !this.#isExhausted(dspId);
      participations.push({ dsp, called, latencyMs: 0, offer, reason });
    };
    for (const [dspId, reason] of reasons) if (!bids.has(dspId)) settle(dspId, null, reason);
    for (const [dspId, own] of bids) {
      settle(dspId, { dspId, bidId: null, currency: CURRENCY, bids: own, rendered: true }, null);
    }
    return { participations, unmatched, creatives, plans, exhausted };
  }

  /** Whether a DSP has spent its daily budget: it is then not called, whatever its campaigns may spend. */
  #isExhausted(dspId: string): boolean {
    const { budgets, clock } = this.#deps;
    return budgets.available(dspId, null, 0, clock.now()) === false;
  }

  /** The pending reads of what campaigns have spent and may spend; null when all is known. */
  #reading(): Promise<unknown> | null {
    const spent = this.#deps.pace.pendingReads();
    const leased = this.#deps.budgets.pendingLeases();
    return spent !== null && leased !== null ? Promise.all([spent, leased]) : (spent ?? leased);
  }

  #inTime(reading: Promise<unknown>, timeLeftMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(Math.max(0, timeLeftMs), resolve);
      void reading.then(() => {
        cancel();
        resolve();
      });
    });
  }

  #exhausted(deviceKey: string, caps: readonly FrequencyCap[], timeLeftMs: number): Promise<ReadonlySet<string>> {
    return new Promise((resolve) => {
      const all = () => resolve(new Set(caps.map(({ campaignId }) => campaignId)));
      const cancel = this.#deps.clock.after(Math.max(0, timeLeftMs), all);
      void this.#deps.caps.exhausted(deviceKey, caps).then((exhausted) => {
        cancel();
        resolve(exhausted);
      });
    });
  }
}

/** Caps by campaign id, since one campaign may be a candidate for several imps; null where no candidate has one. */
function capsOf(plans: readonly BidPlan[]): ReadonlyMap<string, FrequencyCap> | null {
  let caps: Map<string, FrequencyCap> | null = null;
  for (const { candidates } of plans) {
    for (const { campaign: kept } of candidates) {
      if (kept.cap === null || caps?.has(kept.id)) continue;
      caps ??= new Map();
      caps.set(kept.id, { campaignId: kept.id, maxImpressions: kept.cap.maxImpressions });
    }
  }
  return caps;
}

function notCalledParticipation(dsp: DspProjection): DemandParticipation {
  return { dsp, called: false, latencyMs: 0, offer: null, reason: 'unsupported-currency' };
}
