import { budget } from '../../actors/budget/budget.ts';
import type { BudgetLease } from '../../actors/budget/messages.ts';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import { mapLimit } from '../../async/map-limit.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { CatalogueCampaign } from '../catalogue/kept-campaign.ts';
import type { RequestBidTotals } from '../pace/campaign-pace.ts';
import type { EdgeBudgets } from './edge-budgets.ts';
import { HeldBudget, type LeaseRequest } from './held-budget.ts';
import { type LimitedHolder, limitedCampaign, limitedDsp } from './holder.ts';
import { PendingReads } from './reading.ts';

const TICK_MS = 1_000;
const ASK_TIMEOUT_MS = 3_000;
/** Requests under way at once; the others wait. */
const ASKS_AT_ONCE = 256;
/** What nobody asks for so long is given back, for other edges to sell from. */
const IDLE_MS = 20_000;

export interface LeasedBudgetsOptions {
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names this run of this process among all. */
  readonly edge: string;
  /** How long after a window's end an auction may still sell in it. */
  readonly windowGraceMs: number;
  readonly dsp: (dspId: string) => DspProjection | undefined;
  /** Tells a budget what was spent before there was anything to lease. False when that is not known yet. */
  readonly openBudget: (holder: HeldBudget) => Promise<boolean>;
  /** An impression was sold of a holder without a limit: a limit that comes later must know. Returns at once. */
  readonly onUnleasedSale: (sold: UnleasedSale) => void;
  /** How long after its sale an impression may be shown. */
  readonly renderWindowMs: number;
  /**
   * A holder could not be leased what a bid costs, or this edge has sold the last of it: then called about once a second, until what
   * it sold can be shown no more or `seen` is said. Returns at once.
   */
  readonly onShortfall?: (holder: HeldBudget, nowMs: number) => void;
}

export interface UnleasedSale {
  readonly scope: 'dsp' | 'campaign';
  readonly id: string;
  /** Of a campaign, its demand source. */
  readonly dspId: string;
  readonly sandbox: boolean;
  readonly priceNanos: number;
  readonly soldAtMs: number;
}

interface KnownHolder {
  readonly dsp: DspProjection;
  readonly campaign: CatalogueCampaign | null;
  readonly held: HeldBudget | null;
}

/**
 * One edge's leases of every budget that it sells from. Asked for in the background, ahead of what is sold: an auction meets what is
 * in memory. Whatever becomes of this process, of a request or of an answer, no more is sold than budgets have leased.
 */
export class LeasedBudgets implements EdgeBudgets {
  readonly #options: LeasedBudgetsOptions;
  /** By budget id. */
  readonly #held = new Map<string, HeldBudget>();
  /** By demand source or campaign, as it was when it was last asked for. */
  readonly #known = new Map<string, KnownHolder>();
  readonly #asking = new Set<HeldBudget>();
  readonly #waiting = new Set<HeldBudget>();
  readonly #reading: PendingReads;
  #cancelTimer: (() => void) | null = null;
  #closed = false;
  /** Numbers the requests for all budgets: one that is forgotten and asked for again must not begin anew. */
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

  /** Holders with a limit that this edge has leases of. */
  get holders(): number {
    return this.#held.size;
  }

  /** Requests for leases whose outcome is unknown. */
  get failures(): number {
    return this.#failures;
  }

  start(): void {
    this.#cancelTimer = this.#options.clock.after(TICK_MS, () => {
      this.tick();
      if (!this.#closed) this.start();
    });
  }

  /** Closes windows that are over, leases ahead, forgets who is not asked for. */
  tick(): void {
    const { clock, windowGraceMs: closeAfterMs, renderWindowMs: shownWithinMs, onShortfall: short } = this.#options;
    const nowMs = clock.now();
    let forgotten = false;
    for (const held of this.#held.values()) {
      const idle = nowMs - held.askedAtMs > IDLE_MS;
      if (idle) held.closeAll();
      else held.closeBefore(nowMs, closeAfterMs);
      if (held.hasClosed || (!idle && held.isDue(nowMs))) this.#ask(held);
      const { soldOutAtMs } = held;
      if (soldOutAtMs !== null && nowMs - soldOutAtMs > shownWithinMs) held.acknowledgeExhausted();
      const mayBeSpent = held.soldOutAtMs !== null || (!idle && held.exhaustion(nowMs) !== null);
      if (short !== undefined && mayBeSpent) short(held, nowMs);
      else if (idle && held.isEmpty) {
        this.#held.delete(held.id);
        forgotten = true;
      }
    }
    if (!forgotten) return;
    for (const [of, { held }] of this.#known) if (held === null || !this.#held.has(held.id)) this.#known.delete(of);
  }

  /** After the last auction: gives back all that was not sold, as far as the log takes it within a short time. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    for (const held of this.#held.values()) held.closeAll();
    const closing = [...this.#held.values()].filter(({ hasClosed }) => hasClosed);
    await mapLimit(closing, ASKS_AT_ONCE, (held) => this.#exchange(held, false)).catch((error) => {
      this.#options.logger.warn(
        { err: error },
        'leases were not given back: they are free again when their slots are settled',
      );
    });
  }

  #unleased(scope: UnleasedSale['scope'], id: string, dspId: string, priceNanos: number, soldAtMs: number): void {
    const dsp = this.#options.dsp(dspId);
    if (dsp === undefined) return;
    this.#options.onUnleasedSale({ scope, id, dspId, sandbox: dsp.status === 'sandbox', priceNanos, soldAtMs });
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

  #learn(of: string, dsp: DspProjection, campaign: CatalogueCampaign | null): HeldBudget | null {
    const limited = campaign === null ? limitedDsp(dsp) : limitedCampaign(campaign, dsp);
    const held = limited === null ? null : this.#heldBy(limited);
    this.#known.set(of, { dsp, campaign, held });
    return held;
  }

  #heldBy(limited: LimitedHolder): HeldBudget {
    const held = this.#held.get(limited.id) ?? new HeldBudget(limited, this.#options.clock.now());
    held.limit(limited.limits);
    this.#held.set(limited.id, held);
    return held;
  }

  #roomOf(held: HeldBudget | null, priceNanos: number, nowMs: number, beforeNanos?: number): boolean | null {
    if (held === null) return true;
    const room = held.available(priceNanos, nowMs, beforeNanos);
    if (room === true) return true;
    this.#renew(held);
    if (room === null && (this.#asking.has(held) || this.#waiting.has(held))) this.#reading.begin(held);
    return room;
  }

  #renew(held: HeldBudget | null): void {
    if (held === null || this.#asking.has(held) || this.#waiting.has(held)) return;
    if (held.isDue(this.#options.clock.now(), 0)) this.#ask(held);
  }

  #ask(held: HeldBudget): void {
    if (this.#closed || this.#asking.has(held)) return;
    if (this.#asking.size >= ASKS_AT_ONCE) {
      this.#waiting.add(held);
      return;
    }
    this.#asking.add(held);
    void this.#exchange(held, this.#options.clock.now() - held.askedAtMs <= IDLE_MS)
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
    const { clock, edge, openBudget: open } = this.#options;
    const request = held.request(edge, ++this.#requests, clock.now(), more);
    const answer = await this.#lease(held, request);
    held.onGrant(answer, request, clock.now());
    if (!answer.unopened || !more || this.#closed) return;
    if (!(await open(held))) {
      held.onRequestFailed(clock.now());
      return;
    }
    // What was asked for after the last word would be nobody's.
    if (this.#closed) return;
    const again = held.request(edge, ++this.#requests, clock.now(), true);
    held.onGrant(await this.#lease(held, again), again, clock.now());
  }

  #lease(held: HeldBudget, request: LeaseRequest): Promise<BudgetLease> {
    const { messenger } = this.#options;
    return messenger.ask(budget, held.id, 'lease', request, {
      timeoutMs: ASK_TIMEOUT_MS,
    });
  }

  /** Nothing is lost: the next request says the same again. */
  #failed(held: HeldBudget, error: unknown): void {
    this.#failures += 1;
    held.onRequestFailed(this.#options.clock.now());
    this.#options.logger.debug({ err: error, budget: held.id }, 'a lease could not be had');
  }
}
