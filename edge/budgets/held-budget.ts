import type { Static } from 'typebox';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '../../actors/budget/budget-window.ts';
import type { BudgetLease, BudgetLimits, budgetMessages } from '../../actors/budget/messages.ts';
import type { LimitedHolder } from './holder.ts';
import { isWaiting, lowerLimitNanos, nextWaitMs } from './lease-terms.ts';
import { SaleRate } from './sale-rate.ts';

export type LeaseRequest = Static<(typeof budgetMessages)['lease']>;

/** A lease request asks for at least this many ms of expected sales, at the present rate. */
const LEASE_AHEAD_MS = 5_000;
/**
 * Lower bound of a lease request, in impressions at the usual price. The upper bounds come first: it applies to budgets
 * of 800 impressions and more.
 */
const MIN_LEASED_IMPRESSIONS = 8;
/**
 * Upper bound of a lease request, as a share of the budget: an edge that dies takes it away until the window is
 * settled.
 */
const MOST_SHARE = 1 / 100;
/**
 * Upper bound of a lease request in impressions at the usual price, where that is more than {@link MOST_SHARE}: for
 * budgets below 400 impressions. It is lower than {@link MIN_LEASED_IMPRESSIONS}, so that an edge takes little of a
 * small budget away from the others. No price is out of reach for that: a request asks for at least the price that was
 * refused, and a budget grants no less than that.
 */
const MOST_OF_SMALL = 4;
/**
 * Earliest time before a window, ms, at which a holder asks for its first lease of it. Each holder has a time of its
 * own.
 */
const EARLIEST_LEAD_MS = 30_000;
/** Latest time before a window, ms, at which a holder asks for its first lease of it. */
const LATEST_LEAD_MS = 5_000;
/** Wait, ms, after a request whose outcome is unknown: there are no requests at all. */
const ASK_AGAIN_MS = 1_000;

/** This edge's leases of one budget window. */
interface HeldWindow {
  readonly slotMs: number;
  /** Time of the window's first grant at this edge, ms since the epoch. Earlier sales were not paid by this window. */
  readonly sinceMs: number;
  grantedNanos: number;
  soldNanos: number;
  /**
   * The highest sum of sales reported to the budget. Sales released afterwards can be sold again here; the report is
   * not taken back.
   */
  saidNanos: number;
  closed: boolean;
}

/** One holder's leases at this edge: the windows that it sells from, and its requests to the budget. */
export class HeldBudget {
  readonly id: string;
  readonly holder: LimitedHolder['holder'];
  limits: BudgetLimits;
  /** ms before a window begins at which the holder asks for its first lease of it. */
  readonly leadMs: number;
  /** Last time that an auction asked for this budget, ms since the epoch. */
  askedAtMs: number;
  readonly #rate: SaleRate;
  readonly #windows = new Map<number, HeldWindow>();
  /** Number of the last request. */
  #number = 0;
  /** The lowest price that the rest of the lease could not pay; null when there is none. */
  #refusedNanos: number | null = null;
  /**
   * The highest sum of prices of one auction that the rest of the lease could not pay, though it can pay each of them
   * and the budget has more; null when there is none, or the budget has answered.
   */
  #togetherNanos: number | null = null;
  /** Rest of the lease when the last answer arrived, nano-dollars. */
  #lotNanos = 0;
  /** For so many ms after the last answer nothing more is requested of the present window; 0: it had enough. */
  #waitMs = 0;
  /** Time of the last answer about the present window, ms since the epoch. */
  #answeredAtMs = 0;
  /**
   * Time at which this edge sold the last that it could get of the budget; null when there is more, or when the budget
   * is known to be spent.
   */
  #soldOutAtMs: number | null = null;
  #soldSinceNoted = false;
  /** Time of the last request whose outcome is unknown, ms since the epoch: the log is away. */
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #freeTodayNanos: number | null = null;
  #freeTotalNanos: number | null = null;

  /** @param earliestLeadMs upper bound of `leadMs`; default 30,000 */
  constructor({ id, holder, limits }: LimitedHolder, nowMs: number, earliestLeadMs = EARLIEST_LEAD_MS) {
    this.id = id;
    this.holder = holder;
    this.limits = limits;
    this.leadMs = leadMsOf(id, earliestLeadMs);
    this.askedAtMs = nowMs;
    this.#rate = new SaleRate(nowMs);
  }

  /** Applies newer settings. When a limit has become lower, the present leases are closed and requested again. */
  limit(limits: BudgetLimits): void {
    if (limits.revision <= this.limits.revision) return;
    if (isLower(limits, this.limits)) this.closeAll();
    this.limits = limits;
    this.#soldOutAtMs = null;
    this.#hurry();
  }

  /**
   * Whether the lease can pay a price now, after `beforeNanos` of others; with `priceNanos` 0: whether it can pay any.
   * Null when more is likely to be granted at once: there is no lease of this window yet, not even a refusal, or the
   * rest of the lease is too little and that of the budget is not.
   */
  available(priceNanos: number, nowMs: number, beforeNanos = 0): boolean | null {
    this.askedAtMs = nowMs;
    const window = this.#windows.get(budgetWindowStart(nowMs));
    if (window === undefined || window.closed) return null;
    const leftNanos = window.grantedNanos - window.soldNanos;
    if (priceNanos === 0) return leftNanos >= (this.#refusedNanos ?? 1) ? true : this.#orMore(this.#refusedNanos ?? 1);
    const togetherNanos = priceNanos + beforeNanos;
    if (leftNanos >= togetherNanos) return true;
    if (leftNanos < priceNanos) {
      this.#refuse(priceNanos);
      return this.#orMore(priceNanos);
    }
    const more = this.#orMore(togetherNanos - leftNanos);
    if (more === null) this.#togetherNanos = Math.max(this.#togetherNanos ?? 0, togetherNanos);
    return more;
  }

  /** Whether {@link take} would be covered by the lease. */
  pays(priceNanos: number, soldAtMs: number): boolean {
    const window = this.#windows.get(budgetWindowStart(soldAtMs));
    if (window === undefined || window.closed) return false;
    if (window.grantedNanos - window.soldNanos >= priceNanos) return true;
    this.#refuse(priceNanos);
    return false;
  }

  /** Takes a price that {@link pays} has accepted. */
  take(priceNanos: number, soldAtMs: number): void {
    this.#windows.get(budgetWindowStart(soldAtMs))!.soldNanos += priceNanos;
    this.#soldSinceNoted = true;
    this.#rate.addSale(priceNanos);
  }

  giveBack(priceNanos: number, soldAtMs: number): void {
    const window = this.#windows.get(budgetWindowStart(soldAtMs));
    if (window === undefined || window.closed || soldAtMs < window.sinceMs) return;
    window.soldNanos -= priceNanos;
    this.#rate.removeSale(priceNanos);
  }

  /**
   * Whether a request is due now: for more of this window or, within `leadMs` before it, for the first lease of the
   * next window.
   */
  isDue(nowMs: number, leadMs = this.leadMs): boolean {
    if (isWaiting(nowMs, this.#failedAtMs, ASK_AGAIN_MS)) return false;
    const window = this.#windows.get(budgetWindowStart(nowMs));
    if (window === undefined || window.closed) return true;
    if (isWaiting(nowMs, this.#answeredAtMs, this.#waitMs)) return this.#isNextDue(nowMs, leadMs);
    const leftNanos = window.grantedNanos - window.soldNanos;
    if (leftNanos < this.#leastNanos) return true;
    if (leftNanos * 2 < this.#lotNanos && leftNanos * 2 < this.#wantNanos(nowMs)) return true;
    return this.#isNextDue(nowMs, leadMs);
  }

  /** Closes the windows that ended at least `graceMs` ago: no auction that began in them is still under way. */
  closeBefore(nowMs: number, graceMs: number): void {
    for (const window of this.#windows.values())
      if (window.slotMs + BUDGET_WINDOW_MS + graceMs <= nowMs) this.#close(window);
  }

  closeAll(): void {
    for (const window of this.#windows.values()) this.#close(window);
  }

  /** Whether there are closed windows that the budget has not acknowledged. */
  get hasClosed(): boolean {
    for (const { closed } of this.#windows.values()) if (closed) return true;
    return false;
  }

  get isEmpty(): boolean {
    return this.#windows.size === 0;
  }

  /**
   * Makes the next request. Its `number` is higher than any before; answers to earlier requests are then ignored. With
   * `more` false, it only reports sales and closed windows. It asks for the present window or, when that has enough,
   * for the next.
   */
  request(edge: string, number: number, nowMs: number, more: boolean): LeaseRequest {
    this.#number = number;
    const holdings = Array.from(this.#windows.values(), (window) => {
      window.saidNanos = Math.max(window.saidNanos, window.soldNanos);
      const { slotMs, grantedNanos, saidNanos, closed } = window;
      return { slotMs, grantedNanos, soldNanos: saidNanos, closed };
    });
    const wantNanos = more ? Math.ceil(this.#wantNanos(nowMs)) : 0;
    const currentMs = budgetWindowStart(nowMs);
    const slotMs =
      more && this.#isNextDue(nowMs, this.leadMs) && !this.#isShort(nowMs) ? currentMs + BUDGET_WINDOW_MS : currentMs;
    const leastNanos = this.#leastNanos;
    return {
      edge,
      number,
      limits: this.limits,
      holdings,
      slotMs,
      wantNanos: more ? Math.max(wantNanos, leastNanos) : 0,
      leastNanos,
    };
  }

  /** Applies an answer. False when it answers another request than the last: it is then ignored. */
  onGrant(answer: BudgetLease, request: LeaseRequest, nowMs: number): boolean {
    if (answer.number !== this.#number) return false;
    for (const slotMs of answer.closedSlots) if (this.#windows.get(slotMs)?.closed) this.#windows.delete(slotMs);
    if (request.wantNanos === 0 || answer.unopened) return true;
    const closedIt = request.holdings.some(({ slotMs, closed }) => closed && slotMs === answer.slotMs);
    if (!closedIt) this.#grant(answer.slotMs, answer.grantedNanos, nowMs);
    if (answer.slotMs !== budgetWindowStart(nowMs)) {
      this.#togetherNanos = null;
      return true;
    }
    this.#freeTodayNanos = answer.freeTodayNanos;
    this.#freeTotalNanos = answer.freeTotalNanos;
    this.#settle(answer.slotMs, request.leastNanos, nowMs);
    return true;
  }

  /** Called when the outcome of the last request is unknown. */
  onRequestFailed(nowMs: number): void {
    this.#failedAtMs = nowMs;
  }

  /**
   * The refused price, where the budget itself cannot pay it either, and which limit is reached: the daily one, the
   * total one or both. Null while the lease or the budget can still pay it.
   */
  exhaustion(nowMs: number): { readonly priceNanos: number; readonly daily: boolean; readonly total: boolean } | null {
    const window = this.#windows.get(budgetWindowStart(nowMs));
    const priceNanos = this.#refusedNanos;
    if (window === undefined || priceNanos === null || window.grantedNanos - window.soldNanos >= priceNanos)
      return null;
    const daily = this.#freeTodayNanos !== null && this.#freeTodayNanos < priceNanos;
    const total = this.#freeTotalNanos !== null && this.#freeTotalNanos < priceNanos;
    return daily || total ? { priceNanos, daily, total } : null;
  }

  /**
   * Since when the budget has not had the price of a usual sale left, ms since the epoch; null while it has. The sales
   * of this edge may then have been the last.
   */
  get soldOutAtMs(): number | null {
    return this.#soldOutAtMs;
  }

  /** Called when the exhaustion was reported or disproved: no further check is needed until there are more sales. */
  acknowledgeExhausted(): void {
    this.#soldOutAtMs = null;
  }

  #noteWhatIsLeft(leftNanos: number, nowMs: number): void {
    if (!this.#rate.hasSold) return;
    const freeNanos = Math.min(
      this.#freeTodayNanos ?? Number.POSITIVE_INFINITY,
      this.#freeTotalNanos ?? Number.POSITIVE_INFINITY,
    );
    if (freeNanos + leftNanos >= this.#rate.priceNanos) this.#soldOutAtMs = null;
    else if (this.#soldSinceNoted) this.#soldOutAtMs ??= nowMs;
    this.#soldSinceNoted = false;
  }

  /** Null while the budget probably has this much more to lease; false when it has answered that it has not. */
  #orMore(priceNanos: number): null | false {
    const isThere = (freeNanos: number | null) => freeNanos === null || freeNanos >= priceNanos;
    return this.#waitMs === 0 && isThere(this.#freeTodayNanos) && isThere(this.#freeTotalNanos) ? null : false;
  }

  #grant(slotMs: number, grantedNanos: number, nowMs: number): void {
    const window = this.#windows.get(slotMs);
    if (window === undefined) {
      this.#windows.set(slotMs, { slotMs, sinceMs: nowMs, grantedNanos, soldNanos: 0, saidNanos: 0, closed: false });
    } else if (!window.closed) window.grantedNanos = grantedNanos;
  }

  /**
   * Takes note of what an answer has left, to a request of `leastNanos`. The next request is due when half of that is
   * sold. If it cannot pay the refused price, requests are repeated after longer and longer waits.
   */
  #settle(slotMs: number, leastNanos: number, nowMs: number): void {
    const window = this.#windows.get(slotMs);
    const leftNanos = window === undefined || window.closed ? 0 : window.grantedNanos - window.soldNanos;
    this.#lotNanos = leftNanos;
    this.#noteWhatIsLeft(leftNanos, nowMs);
    if (leastNanos >= (this.#togetherNanos ?? 0)) this.#togetherNanos = null;
    if (leftNanos >= (this.#refusedNanos ?? 1)) {
      this.#refusedNanos = null;
      this.#waitMs = 0;
    } else {
      this.#waitMs = nextWaitMs(this.#waitMs);
    }
    this.#answeredAtMs = nowMs;
  }

  /** What the rest of a lease has to pay at least, nano-dollars. */
  get #leastNanos(): number {
    return Math.max(1, this.#refusedNanos ?? 1, this.#togetherNanos ?? 1);
  }

  #isShort(nowMs: number): boolean {
    const window = this.#windows.get(budgetWindowStart(nowMs));
    return window === undefined || window.closed || window.grantedNanos - window.soldNanos < this.#lotNanos / 2;
  }

  /**
   * The next window may have what this one lacks: it may be of another day, or budget may have been returned meanwhile.
   */
  #isNextDue(nowMs: number, leadMs: number): boolean {
    const nextMs = budgetWindowStart(nowMs) + BUDGET_WINDOW_MS;
    return nextMs - nowMs <= leadMs && !this.#windows.has(nextMs);
  }

  #wantNanos(nowMs: number): number {
    const { priceNanos } = this.#rate;
    const usefulNanos = Math.max(this.#rate.nanosPerMs(nowMs) * LEASE_AHEAD_MS, MIN_LEASED_IMPRESSIONS * priceNanos);
    return Math.min(usefulNanos, Math.max(MOST_SHARE * lowerLimitNanos(this.limits), MOST_OF_SMALL * priceNanos));
  }

  #refuse(priceNanos: number): void {
    this.#refusedNanos = Math.min(this.#refusedNanos ?? priceNanos, priceNanos);
  }

  #hurry(): void {
    this.#waitMs = 0;
  }

  #close(window: HeldWindow): void {
    // A window without a grant need not be reported: the budget takes an unreported window as not held.
    if (window.grantedNanos === 0) this.#windows.delete(window.slotMs);
    else window.closed = true;
    this.#hurry();
  }
}

function isLower(limits: BudgetLimits, than: BudgetLimits): boolean {
  const lower = (now: number, before: number) => now > 0 && (before === 0 || now < before);
  return lower(limits.dailyNanos, than.dailyNanos) || lower(limits.totalNanos, than.totalNanos);
}

/**
 * The holder's own lead time, ms, from a hash of its id: it spreads the requests of all holders over the time before a
 * window begins.
 */
function leadMsOf(id: string, earliestLeadMs: number): number {
  let hash = 0;
  for (let at = 0; at < id.length; at++) hash = (hash * 31 + id.charCodeAt(at)) | 0;
  return LATEST_LEAD_MS + (Math.abs(hash) % (earliestLeadMs - LATEST_LEAD_MS));
}
