import type { RenderDelay } from '../../exchange/pacing/render-delay.ts';
import { UnrenderedSales } from '../../exchange/pacing/unrendered-sales.ts';
import { SharedSum } from './shared-sum.ts';

const DAY_MS = 86_400_000;
/** A day's sum is kept this long after the day. */
const DAY_KEPT_MS = 2 * DAY_MS;
/** A total is kept this long after its last impression. */
const TOTAL_KEPT_MS = 400 * DAY_MS;

/** What this share of a budget has been sold of, the other edges are to know at once. */
const DUE_SHARE = 1 / 400;

/** A sum with the time until which it is to be kept. */
export interface SumWithExpiry {
  readonly sum: SharedSum;
  readonly expiresAtMs: number;
}

/** What one campaign, or one demand source, has spent and sold, in nano-dollars; shared by edges. */
export class SpendAccount {
  /** The environment and generation that it counts in, and the campaign or demand source. */
  readonly scope: string;
  readonly unrenderedSales: UnrenderedSales;
  /** Last asked for, ms since the epoch. */
  askedAtMs: number;
  /** Last time that it was to be read, whether it could be or not. */
  triedAtMs = Number.NEGATIVE_INFINITY;
  /** The smallest that it is held to. */
  budgetNanos = Number.POSITIVE_INFINITY;
  readonly #name: string;
  readonly #total: SharedSum;
  readonly #sold: SharedSum;
  #day: number;
  #today: SharedSum;
  /** Of an earlier day, with something to send still. */
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

  /** Today's, UTC. */
  get spentTodayNanos(): number {
    return this.#today.value;
  }

  /** Whether today's spend and all spend were read no longer than `maxAgeMs` ago. */
  isKnown(nowMs: number, maxAgeMs: number): boolean {
    this.#turn(nowMs);
    return this.#today.known && nowMs - this.#readAtMs <= maxAgeMs;
  }

  /** Whether so much was sold here that the other edges should know of it now. */
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

  /** Those that may have something to send. */
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

  /** All that {@link sums} had to send was sent. */
  sent(): void {
    if (this.#leaving?.settled) this.#leaving = null;
  }

  /** Keys to be read, for {@link read}. */
  keys(nowMs: number): readonly string[] {
    this.#turn(nowMs);
    return [this.#today.key, this.#total.key, this.#sold.key];
  }

  /** Takes what stands at the `keys`, in their order. What others have sold and billed meanwhile joins the open sales. */
  read(keys: readonly string[], values: readonly (number | null)[], nowMs: number): void {
    const [today, total, sold] = values as [number | null, number | null, number | null];
    // A day may have turned since the keys were asked for.
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
