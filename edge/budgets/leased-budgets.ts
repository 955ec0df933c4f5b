import { BUDGET_WINDOW_MS } from '../../actors/budget/budget-window.ts';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import { mapLimit } from '../../async/map-limit.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { CatalogueCampaign } from '../catalogue/kept-campaign.ts';
import type { RequestBidTotals } from '../pace/campaign-pace.ts';
import type { EdgeBudgets } from './edge-budgets.ts';
import { HeldBudget } from './held-budget.ts';
import { type LimitedHolder, limitedCampaign, limitedDsp } from './holder.ts';
import { FEW_BUDGETS } from './lease-terms.ts';
import type { BudgetLender } from './lender.ts';
import { PendingReads } from './reading.ts';

const TICK_MS = 1_000;
/** An edge with many budgets looks at a part of them each second, and so at each of them every so many. */
const PARTS_OF_MANY = 4;
/** Upper bound of lease requests under way at once; the others wait. */
const ASKS_AT_ONCE = 512;
/** A budget that no auction asked for within this many ms is returned, for other edges to sell from. */
const IDLE_MS = 20_000;
/**
 * The same at an edge with more than {@link FEW_BUDGETS}: each of most of them is asked for less often than every 20 s,
 * and would be leased anew for each bid, for which the auction would wait. There windows that are over are reported
 * with the next request for the budget, which follows within a window, or when it is idle.
 */
const IDLE_OF_MANY_MS = 2 * BUDGET_WINDOW_MS;
/** An edge with many budgets asks for the next window of each during most of the present one. */
const EARLIEST_LEAD_OF_MANY_MS = 240_000;

export interface LeasedBudgetsOptions {
  readonly lender: BudgetLender;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Unique name of this run of this process. */
  readonly edge: string;
  /** ms after a window's end within which an auction may still sell in it. */
  readonly windowGraceMs: number;
  readonly dsp: (dspId: string) => DspProjection | undefined;
  /** Reports to a budget what was spent before there was anything to lease. False while that is not known yet. */
  readonly openBudget: (holder: HeldBudget) => Promise<boolean>;
  /**
   * Called when an impression of a holder without a limit is sold: a limit that is set later must count it. Returns at
   * once.
   */
  readonly onUnleasedSale: (sold: UnleasedSale) => void;
  /** Called when this edge learns that a holder has a limit. Returns at once. */
  readonly onLimited?: (budgetId: string) => void;
  /** ms after its sale within which an impression may be rendered. */
  readonly renderWindowMs: number;
  /**
   * Called when a holder could not be leased the price of a bid, or when this edge has sold the last of it. It is then
   * called about once a second, or in four where there are many budgets, until its sales can be rendered no more or
   * `acknowledgeExhausted` is called. Returns at once.
   */
  readonly onShortfall?: (holder: HeldBudget, nowMs: number) => void;
  /** Default {@link FEW_BUDGETS}. */
  readonly fewBudgets?: number;
}

export interface UnleasedSale {
  readonly scope: 'dsp' | 'campaign';
  readonly id: string;
  /** DSP id; of a campaign, that of its DSP. */
  readonly dspId: string;
  readonly sandbox: boolean;
  readonly sandboxGeneration: number;
  readonly priceNanos: number;
  readonly soldAtMs: number;
}

interface KnownHolder {
  readonly dsp: DspProjection;
  readonly campaign: CatalogueCampaign | null;
  readonly held: HeldBudget | null;
}

/**
 * One edge's leases of all budgets that it sells from. They are requested in the background, ahead of sales: an auction
 * uses what is in memory. Whatever happens to this process, to a request or to an answer, no more is sold than budgets
 * have leased.
 */
export class LeasedBudgets implements EdgeBudgets {
  readonly #options: LeasedBudgetsOptions;
  /** Leases by budget id. */
  readonly #held = new Map<string, HeldBudget>();
  /** The same, in parts of which one is looked at each second where they are many. */
  readonly #parts = Array.from({ length: PARTS_OF_MANY }, () => new Set<HeldBudget>());
  #ticks = 0;
  #hasMany = false;
  /** Number of leases that were ever begun. */
  #learned = 0;
  /** Holders by DSP or campaign, as they were when an auction last asked for them. */
  readonly #known = new Map<string, KnownHolder>();
  readonly #asking = new Set<HeldBudget>();
  readonly #waiting = new Set<HeldBudget>();
  readonly #reading: PendingReads;
  #cancelTimer: (() => void) | null = null;
  #closed = false;
  /**
   * One sequence of numbers for the requests to all budgets: a budget that is forgotten and asked for again must not
   * start from 0.
   */
  #requests = 0;
  #failures = 0;

  constructor(options: LeasedBudgetsOptions) {
    this.#options = options;
    this.#reading = new PendingReads(options.clock);
  }

  reserve(dspId: string, campaign: CatalogueCampaign | null, priceNanos: number, soldAtMs: number): boolean {
    const ofDsp = this.#ofDsp(dspId);
    const ofCampaign = this.#ofCampaign(dspId, campaign);
    const paid = (ofDsp?.pays(priceNanos, soldAtMs) ?? true) && (ofCampaign?.pays(priceNanos, soldAtMs) ?? true);
    if (paid) {
      if (ofDsp !== null) ofDsp.take(priceNanos, soldAtMs);
      else this.#unleased('dsp', dspId, dspId, priceNanos, soldAtMs);
      if (ofCampaign !== null) ofCampaign.take(priceNanos, soldAtMs);
      else if (campaign !== null) this.#unleased('campaign', campaign.id, dspId, priceNanos, soldAtMs);
    }
    this.#renew(ofDsp);
    this.#renew(ofCampaign);
    return paid;
  }

  release(dspId: string, campaign: CatalogueCampaign | null, priceNanos: number, soldAtMs: number): void {
    this.#ofDsp(dspId)?.giveBack(priceNanos, soldAtMs);
    this.#ofCampaign(dspId, campaign)?.giveBack(priceNanos, soldAtMs);
  }

  available(
    dspId: string,
    campaign: CatalogueCampaign | null,
    priceNanos: number,
    nowMs: number,
    bidSoFar?: RequestBidTotals,
  ): boolean | null {
    const ofDsp = this.#roomOf(this.#ofDsp(dspId), priceNanos, nowMs, bidSoFar?.get(dspId));
    if (campaign === null || ofDsp === false) return ofDsp;
    const held = this.#ofCampaign(dspId, campaign);
    const ofCampaign = this.#roomOf(held, priceNanos, nowMs, bidSoFar?.get(campaign.id));
    return ofCampaign === false ? false : ofDsp === null ? null : ofCampaign;
  }

  pendingLeases(): Promise<void> | null {
    return this.#reading.current;
  }

  /** Number of holders with a limit that this edge has leases of. */
  get holders(): number {
    return this.#held.size;
  }

  /** Number of lease requests whose outcome is unknown. */
  get failures(): number {
    return this.#failures;
  }

  start(): void {
    this.#cancelTimer = this.#options.clock.after(TICK_MS, () => {
      this.tick();
      if (!this.#closed) this.start();
    });
  }

  /** Closes windows that are over, requests leases ahead, and forgets idle holders. */
  tick(): void {
    this.#ticks += 1;
    this.#noteSize();
    const parts = this.#hasMany ? [this.#parts[this.#ticks % PARTS_OF_MANY]!] : this.#parts;
    let forgotten = false;
    for (const part of parts) if (this.#lookAt(part)) forgotten = true;
    if (!forgotten) return;
    for (const [holderId, { held }] of this.#known)
      if (held === null || !this.#held.has(held.id)) this.#known.delete(holderId);
  }

  /** Returns whether holders were forgotten. */
  #lookAt(part: Set<HeldBudget>): boolean {
    const { clock, windowGraceMs, renderWindowMs: renderedWithinMs, onShortfall } = this.#options;
    const nowMs = clock.now();
    const idleMs = this.#idleMs;
    const hasMany = this.#hasMany;
    let forgotten = false;
    for (const held of part) {
      const idle = nowMs - held.askedAtMs > idleMs;
      if (idle) held.closeAll();
      else held.closeBefore(nowMs, windowGraceMs);
      const returns = held.hasClosed && (idle || !hasMany);
      if (returns || (!idle && held.isDue(nowMs))) this.#ask(held);
      const { soldOutAtMs } = held;
      if (soldOutAtMs !== null && nowMs - soldOutAtMs > renderedWithinMs) held.acknowledgeExhausted();
      const mayBeSpent = held.soldOutAtMs !== null || (!idle && held.exhaustion(nowMs) !== null);
      if (onShortfall !== undefined && mayBeSpent) onShortfall(held, nowMs);
      else if (idle && held.isEmpty) {
        this.#held.delete(held.id);
        part.delete(held);
        forgotten = true;
      }
    }
    return forgotten;
  }

  /** Called after the last auction. Returns all that was not sold, as far as the log takes it within a short time. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    for (const held of this.#held.values()) held.closeAll();
    const closing = [...this.#held.values()].filter(({ hasClosed }) => hasClosed);
    await mapLimit(closing, ASKS_AT_ONCE, (held) => this.#exchange(held, false)).catch((error) => {
      this.#options.logger.warn(
        { err: error },
        'leases could not be returned: they are free again when their budget windows are settled',
      );
    });
  }

  #unleased(scope: UnleasedSale['scope'], id: string, dspId: string, priceNanos: number, soldAtMs: number): void {
    const dsp = this.#options.dsp(dspId);
    if (dsp === undefined) return;
    const { status, sandboxGeneration } = dsp;
    const environment = { sandbox: status === 'sandbox', sandboxGeneration };
    this.#options.onUnleasedSale({ scope, id, dspId, ...environment, priceNanos, soldAtMs });
  }

  #ofDsp(dspId: string): HeldBudget | null {
    const dsp = this.#options.dsp(dspId);
    if (dsp === undefined || dsp.dailyBudgetCents === 0) return null;
    const known = this.#known.get(dspId);
    return known?.dsp === dsp ? known.held : this.#learn(dspId, dsp, null);
  }

  #ofCampaign(dspId: string, campaign: CatalogueCampaign | null): HeldBudget | null {
    if (campaign === null || campaign.budget === null) return null;
    const known = this.#known.get(campaign.id);
    const dsp = this.#options.dsp(dspId);
    if (known !== undefined && known.dsp === dsp && known.campaign === campaign) return known.held;
    return dsp === undefined ? null : this.#learn(campaign.id, dsp, campaign);
  }

  #learn(holderId: string, dsp: DspProjection, campaign: CatalogueCampaign | null): HeldBudget | null {
    const limited = campaign === null ? limitedDsp(dsp) : limitedCampaign(campaign, dsp);
    const held = limited === null ? null : this.#heldBy(limited);
    this.#known.set(holderId, { dsp, campaign, held });
    return held;
  }

  #heldBy(limited: LimitedHolder): HeldBudget {
    let held = this.#held.get(limited.id);
    if (held === undefined) {
      const earliestLeadMs = this.#hasMany ? EARLIEST_LEAD_OF_MANY_MS : undefined;
      held = new HeldBudget(limited, this.#options.clock.now(), earliestLeadMs);
      this.#held.set(limited.id, held);
      this.#learned += 1;
      this.#parts[this.#learned % PARTS_OF_MANY]!.add(held);
      this.#noteSize();
      this.#options.onLimited?.(limited.id);
    }
    held.limit(limited.limits);
    return held;
  }

  #roomOf(held: HeldBudget | null, priceNanos: number, nowMs: number, beforeNanos?: number): boolean | null {
    if (held === null) return true;
    const available = held.available(priceNanos, nowMs, beforeNanos);
    if (available === true) return true;
    this.#renew(held);
    if (available === null && (this.#asking.has(held) || this.#waiting.has(held))) this.#reading.begin(held);
    return available;
  }

  #renew(held: HeldBudget | null): void {
    if (held === null || this.#asking.has(held) || this.#waiting.has(held)) return;
    if (held.isDue(this.#options.clock.now(), 0)) this.#ask(held);
  }

  get #idleMs(): number {
    return this.#hasMany ? IDLE_OF_MANY_MS : IDLE_MS;
  }

  /** An edge with about as many as few are does not change its ways with each of them. */
  #noteSize(): void {
    const { fewBudgets = FEW_BUDGETS } = this.#options;
    this.#hasMany = this.#held.size > (this.#hasMany ? fewBudgets / 2 : fewBudgets);
  }

  #ask(held: HeldBudget): void {
    if (this.#closed || this.#asking.has(held)) return;
    if (this.#asking.size >= ASKS_AT_ONCE) {
      this.#waiting.add(held);
      return;
    }
    this.#asking.add(held);
    const more = this.#options.clock.now() - held.askedAtMs <= this.#idleMs;
    // Not before the auction that asks has said what all of its imps cost.
    void Promise.resolve()
      .then(() => (this.#closed ? undefined : this.#exchange(held, more)))
      .catch((error) => this.#failed(held, error))
      .finally(() => {
        this.#asking.delete(held);
        this.#reading.end(held);
        const [next] = this.#waiting;
        if (next === undefined) return;
        this.#waiting.delete(next);
        this.#ask(next);
      });
  }

  async #exchange(held: HeldBudget, more: boolean): Promise<void> {
    const { lender, clock, edge, openBudget } = this.#options;
    const request = held.request(edge, ++this.#requests, clock.now(), more);
    const answer = await lender.lease(held.id, request);
    held.onGrant(answer, request, clock.now());
    if (!answer.unopened || !more || this.#closed) return;
    if (!(await openBudget(held))) {
      held.onRequestFailed(clock.now());
      return;
    }
    // A lease requested after the last report would belong to no edge.
    if (this.#closed) return;
    const again = held.request(edge, ++this.#requests, clock.now(), true);
    held.onGrant(await lender.lease(held.id, again), again, clock.now());
  }

  /** Counts a failed request. Nothing is lost: the next request repeats its report. */
  #failed(held: HeldBudget, error: unknown): void {
    this.#failures += 1;
    held.onRequestFailed(this.#options.clock.now());
    this.#options.logger.debug({ err: error, budget: held.id }, 'a lease request failed');
  }
}
