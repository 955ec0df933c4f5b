import type { RenderDelay } from '../../exchange/pacing/render-delay.ts';
import { UnrenderedSales } from '../../exchange/pacing/unrendered-sales.ts';
import { SharedSum } from './shared-sum.ts';

const DAY_MS = 86_400_000;
/** A day's sum is stored this many ms after the day. */
const DAY_KEPT_MS = 2 * DAY_MS;
/** A total is stored this many ms after its last impression. */
const TOTAL_KEPT_MS = 400 * DAY_MS;

/** When this share of a budget has been sold here, the other edges are to know at once. */
const DUE_SHARE = 1 / 400;

/** A sum with the time until which it is to be stored. */
export interface SumWithExpiry {
  readonly sum: SharedSum;
  readonly expiresAtMs: number;
}

/** The spend and open sales of one campaign or one DSP, in nano-dollars, shared by the edges. */
export class SpendAccount {
  /** The environment and generation that the account counts in, and its campaign or DSP. */
  readonly scope: string;
  readonly unrenderedSales: UnrenderedSales;
  /** Last time that the account was asked for, ms since the epoch. */
  askedAtMs: number;
  /** Last time that a read was tried, successful or not. */
  triedAtMs = Number.NEGATIVE_INFINITY;
  /** The smallest budget that the account is held to. */
  budgetNanos = Number.POSITIVE_INFINITY;
  readonly #name: string;
  readonly #total: SharedSum;
  readonly #sold: SharedSum;
  #day: number;
  #today: SharedSum;
  /** Sum of an earlier day with something still to send. */
  #leaving: SharedSum | null = null;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(scope: string, name: string, delay: RenderDelay, nowMs: number) {
    this.scope = scope;
    this.#name = `${scope}${name}`;
    this.unrenderedSales = new UnrenderedSales(delay, nowMs);
    this.askedAtMs = nowMs;
    this.#total = new SharedSum(`${this.#name}/spent`);
    this.#sold = new SharedSum(`${this.#name}/sold`);
    this.#day = Math.floor(nowMs / DAY_MS);
    this.#today = this.#sumOf(this.#day);
  }

  /** Spend of today, UTC. */
  get spentTodayNanos(): number {
    return this.#today.value;
  }

  /** Whether the spend of today and the total were read at most `maxAgeMs` ago. */
  isKnown(nowMs: number, maxAgeMs: number): boolean {
    this.#turn(nowMs);
    return this.#today.known && nowMs - this.#readAtMs <= maxAgeMs;
  }

  /** Whether enough was sold here that the other edges should know of it now. */
  get isDue(): boolean {
    return this.#sold.unsent >= DUE_SHARE * this.budgetNanos;
  }

  get settled(): boolean {
    return this.#leaving === null && [this.#today, this.#total, this.#sold].every(({ settled }) => settled);
  }

  addSale(nanos: number, nowMs: number): void {
    this.#sold.add(nanos);
    this.unrenderedSales.sold(nanos, nowMs);
  }

  addBilled(nanos: number, soldAtMs: number, nowMs: number): void {
    this.#turn(nowMs);
    this.#today.add(nanos);
    this.#total.add(nanos);
    this.unrenderedSales.rendered(nanos, nowMs - soldAtMs, nowMs);
  }

  /** The sums that may have something to send. */
  sums(nowMs: number): SumWithExpiry[] {
    this.#turn(nowMs);
    const dayEndMs = (this.#day + 1) * DAY_MS + DAY_KEPT_MS;
    const sums = [
      { sum: this.#today, expiresAtMs: dayEndMs },
      { sum: this.#total, expiresAtMs: nowMs + TOTAL_KEPT_MS },
      { sum: this.#sold, expiresAtMs: nowMs + DAY_KEPT_MS },
    ];
    if (this.#leaving !== null) sums.push({ sum: this.#leaving, expiresAtMs: dayEndMs });
    return sums;
  }

  /** Called when all that {@link sums} had to send was sent. */
  sent(): void {
    if (this.#leaving?.settled) this.#leaving = null;
  }

  /** Keys whose values {@link read} takes. */
  keys(nowMs: number): readonly string[] {
    this.#turn(nowMs);
    return [this.#today.key, this.#total.key, this.#sold.key];
  }

  /**
   * Takes the values at the `keys`, in their order. What other edges have sold and billed meanwhile joins the open
   * sales.
   */
  read(keys: readonly string[], values: readonly (number | null)[], nowMs: number): void {
    const [today, total, sold] = values as [number | null, number | null, number | null];
    // The day may have changed since the keys were made.
    if (keys[0] !== this.#today.key || today === null || total === null || sold === null) return;
    this.#today.read(today);
    const billedElsewhere = this.#total.read(total);
    const soldElsewhere = this.#sold.read(sold);
    if (soldElsewhere > 0) this.unrenderedSales.sold(soldElsewhere, nowMs);
    if (billedElsewhere > 0) this.unrenderedSales.rendered(billedElsewhere, null, nowMs);
    this.#readAtMs = nowMs;
  }

  #turn(nowMs: number): void {
    const day = Math.floor(nowMs / DAY_MS);
    if (day <= this.#day) return;
    if (!this.#today.settled) this.#leaving = this.#today;
    this.#day = day;
    this.#today = this.#sumOf(day);
  }

  #sumOf(day: number): SharedSum {
    return new SharedSum(`${this.#name}/spent/${new Date(day * DAY_MS).toISOString().slice(0, 10)}`);
  }
}
