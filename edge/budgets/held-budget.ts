import type { Static } from 'typebox';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '../../actors/budget/budget-window.ts';
import type { BudgetLease, BudgetLimits, budgetMessages } from '../../actors/budget/messages.ts';
import type { LimitedHolder } from './holder.ts';
import { SaleRate } from './sale-rate.ts';

export type LeaseRequest = Static<(typeof budgetMessages)['lease']>;

/** An edge has leased what it sells in this time, */
const LEASE_AHEAD_MS = 5_000;
/** and no less than so many impressions, */
const MIN_LEASED_IMPRESSIONS = 8;
/** but no more than this share of a budget, which an edge that dies takes with it until the window is settled, */
const MOST_SHARE = 1 / 100;
/** or, of a small one, than so many impressions. */
const MOST_OF_SMALL = 4;
/** Leases of the next window are asked for between so long before it begins, each holder's at a time of its own, */
const EARLIEST_LEAD_MS = 30_000;
/** and so long. */
const LATEST_LEAD_MS = 5_000;
/** While nothing is free, it is asked for again after so long, and then less and less often. */
const SHORTEST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 15_000;
/** After a request whose outcome is unknown. */
const ASK_AGAIN_MS = 1_000;

/** What this edge has of one window. */
interface HeldWindow {
  readonly slotMs: number;
  /** Of its first grant here: what was sold before was paid by none. */
  readonly sinceMs: number;
  grantedNanos: number;
  soldNanos: number;
  /** The most that was said to be sold: what is given back afterwards can be sold again here, and is not taken back. */
  saidNanos: number;
  closed: boolean;
}

/** One holder's leases at this edge: what it sells from, window by window, and what it asks its budget for next. */
export class HeldBudget {
  readonly id: string;
  readonly holder: LimitedHolder['holder'];
  limits: BudgetLimits;
  /** So long before a window begins it asks for its first lease of it. */
  readonly leadMs: number;
  /** Last time that an auction asked for it, ms since the epoch. */
  askedAtMs: number;
  readonly #rate: SaleRate;
  readonly #windows = new Map<number, HeldWindow>();
  /** Of the last request. */
  #number = 0;
  /** The lowest price that what is left has not paid; null when there is none. */
  #refusedNanos: number | null = null;
  /** What was left when the last answer had come. */
  #lotNanos = 0;
  #waitMs = 0;
  /** Nothing more is asked for of the present window. */
  #shortUntilMs = 0;
  /** When it had sold the last that this edge found of the budget; null when there is more, or that is known to be spent. */
  #soldOutAtMs: number | null = null;
  #soldSinceNoted = false;
  /** Nothing is asked for at all: the log is away. */
  #retryAtMs = 0;
  #freeTodayNanos: number | null = null;
  #freeTotalNanos: number | null = null;

  constructor({ id, holder, limits }: LimitedHolder, nowMs: number) {
    this.id = id;
    this.holder = holder;
    this.limits = limits;
    this.leadMs = leadMsOf(id);
    this.askedAtMs = nowMs;
    this.#rate = new SaleRate(nowMs);
  }

  /** Newer settings hold from now on. Of a limit that has become lower, what is leased is asked for anew. */
  limit(limits: BudgetLimits): void {
    if (limits.revision <= this.limits.revision) return;
    if (isLower(limits, this.limits)) this.closeAll();
    this.limits = limits;
    this.#soldOutAtMs = null;
    this.#hurry();
  }

  /**
   * Whether a price can be paid now, after `beforeNanos` of others, and for 0 whether anything can. Null when more is likely to
   * be had at once: it has nothing of this window yet, not even a refusal, or it has run out of what it had and the budget has not.
   */
  available(priceNanos: number, nowMs: number, beforeNanos = 0): boolean | null {
    this.askedAtMs = nowMs;
    const window = this.#windows.get(budgetWindowStart(nowMs));
    if (window === undefined || window.closed) return null;
    const leftNanos = window.grantedNanos - window.soldNanos;
    if (priceNanos === 0) return leftNanos >= (this.#refusedNanos ?? 1) ? true : this.#orMore(this.#refusedNanos ?? 1);
    if (leftNanos >= priceNanos) return leftNanos >= priceNanos + beforeNanos;
    this.#refuse(priceNanos);
    return this.#orMore(priceNanos);
  }

  /** Whether {@link take} would. */
  pays(priceNanos: number, soldAtMs: number): boolean {
    const window = this.#windows.get(budgetWindowStart(soldAtMs));
    if (window === undefined || window.closed) return false;
    if (window.grantedNanos - window.soldNanos >= priceNanos) return true;
    this.#refuse(priceNanos);
    return false;
  }

  /** After {@link pays}. */
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

  /** Whether it should ask now: for more of this window, or, within `leadMs` of it, for its first of the next. */
  isDue(nowMs: number, leadMs = this.leadMs): boolean {
    if (nowMs < this.#retryAtMs) return false;
    const window = this.#windows.get(budgetWindowStart(nowMs));
    if (window === undefined || window.closed) return true;
    if (nowMs < this.#shortUntilMs) return this.#isNextDue(nowMs, leadMs);
    const leftNanos = window.grantedNanos - window.soldNanos;
    if (leftNanos < (this.#refusedNanos ?? 1)) return true;
    if (leftNanos * 2 < this.#lotNanos && leftNanos * 2 < this.#wantNanos(nowMs)) return true;
    return this.#isNextDue(nowMs, leadMs);
  }

  /** Windows that are over for `graceMs` sell nothing more: no auction that began in them is under way. */
  closeBefore(nowMs: number, graceMs: number): void {
    for (const window of this.#windows.values())
      if (window.slotMs + BUDGET_WINDOW_MS + graceMs <= nowMs) this.#close(window);
  }

  closeAll(): void {
    for (const window of this.#windows.values()) this.#close(window);
  }

  /** Whether there are closings that the budget has not acknowledged. */
  get hasClosed(): boolean {
    for (const { closed } of this.#windows.values()) if (closed) return true;
    return false;
  }

  get isEmpty(): boolean {
    return this.#windows.size === 0;
  }

  /**
   * The next request, of a higher `number` than any before; answers to those are then ignored. `more` false: only says what is
   * closed. The window that it asks for is the present one, or, when that has enough, the next.
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
    const leastNanos = Math.max(1, this.#refusedNanos ?? 1);
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

  /** False for the answer to another request than the last, which says nothing any more. */
  onGrant(answer: BudgetLease, asked: LeaseRequest, nowMs: number): boolean {
    if (answer.number !== this.#number) return false;
    for (const slotMs of answer.closedSlots) if (this.#windows.get(slotMs)?.closed) this.#windows.delete(slotMs);
    if (asked.wantNanos === 0 || answer.unopened) return true;
    const closedIt = asked.holdings.some(({ slotMs, closed }) => closed && slotMs === answer.slotMs);
    if (!closedIt) this.#grant(answer.slotMs, answer.grantedNanos, nowMs);
    if (answer.slotMs !== budgetWindowStart(nowMs)) return true;
    this.#freeTodayNanos = answer.freeTodayNanos;
    this.#freeTotalNanos = answer.freeTotalNanos;
    this.#settle(answer.slotMs, nowMs);
    return true;
  }

  /** The outcome of the last request is unknown. */
  onRequestFailed(nowMs: number): void {
    this.#retryAtMs = nowMs + ASK_AGAIN_MS;
  }

  /**
   * What could not be paid, where the budget itself cannot pay for it either: of the day, of all time. Null while there is
   * something left for it, here or there.
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
   * Whether what this edge has sold may have been the last: since when its budget had not the price of a usual sale left any more,
   * ms since the epoch; null when it has.
   */
  get soldOutAtMs(): number | null {
    return this.#soldOutAtMs;
  }

  /** Nobody need look whether it is spent, until it has sold more. */
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

  /** Null while the budget is taken to have so much more for the asking; false when it has said that it has not. */
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

  /** Asks again when half of it is gone, or, if it is not enough for what was refused, later and later. */
  #settle(slotMs: number, nowMs: number): void {
    const window = this.#windows.get(slotMs);
    const leftNanos = window === undefined || window.closed ? 0 : window.grantedNanos - window.soldNanos;
    this.#lotNanos = leftNanos;
    this.#noteWhatIsLeft(leftNanos, nowMs);
    if (leftNanos >= (this.#refusedNanos ?? 1)) {
      this.#refusedNanos = null;
      this.#waitMs = 0;
    } else {
      this.#waitMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, 2 * this.#waitMs));
    }
    this.#shortUntilMs = nowMs + this.#waitMs;
  }

  #isShort(nowMs: number): boolean {
    const window = this.#windows.get(budgetWindowStart(nowMs));
    return window === undefined || window.closed || window.grantedNanos - window.soldNanos < this.#lotNanos / 2;
  }

  /** What a window has run out of, another may have: of another day, or given back meanwhile. */
  #isNextDue(nowMs: number, leadMs: number): boolean {
    const nextMs = budgetWindowStart(nowMs) + BUDGET_WINDOW_MS;
    return nextMs - nowMs <= leadMs && !this.#windows.has(nextMs);
  }

  #wantNanos(nowMs: number): number {
    const { dailyNanos, totalNanos } = this.limits;
    const { priceNanos } = this.#rate;
    const usefulNanos = Math.max(this.#rate.nanosPerMs(nowMs) * LEASE_AHEAD_MS, MIN_LEASED_IMPRESSIONS * priceNanos);
    const limitNanos = Math.min(dailyNanos || totalNanos, totalNanos || dailyNanos);
    return Math.min(usefulNanos, Math.max(MOST_SHARE * limitNanos, MOST_OF_SMALL * priceNanos));
  }

  #refuse(priceNanos: number): void {
    this.#refusedNanos = Math.min(this.#refusedNanos ?? priceNanos, priceNanos);
  }

  #hurry(): void {
    this.#shortUntilMs = 0;
    this.#waitMs = 0;
  }

  #close(window: HeldWindow): void {
    // Of a window without a grant there is nothing to say: what is not spoken of is not held.
    if (window.grantedNanos === 0) this.#windows.delete(window.slotMs);
    else window.closed = true;
    this.#hurry();
  }
}

function isLower(limits: BudgetLimits, than: BudgetLimits): boolean {
  const lower = (now: number, before: number) => now > 0 && (before === 0 || now < before);
  return lower(limits.dailyNanos, than.dailyNanos) || lower(limits.totalNanos, than.totalNanos);
}

/** Spreads the holders' requests over the time before a window begins. */
function leadMsOf(id: string): number {
  let hash = 0;
  for (let at = 0; at < id.length; at++) hash = (hash * 31 + id.charCodeAt(at)) | 0;
  return LATEST_LEAD_MS + (Math.abs(hash) % (EARLIEST_LEAD_MS - LATEST_LEAD_MS));
}
