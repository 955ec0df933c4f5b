import type { RenderDelay } from '../../exchange/pacing/render-delay.ts';
import { UnrenderedSales } from '../../exchange/pacing/unrendered-sales.ts';
import { SharedSum } from './shared-sum.ts';
import type { ToldAmount } from './told-amounts.ts';

const DAY_MS = 86_400_000;
/** A day's sum is stored this many ms after the day. */
const DAY_KEPT_MS = 2 * DAY_MS;

/** When this share of a budget has been sold here, the other edges are to know at once. */
const DUE_SHARE = 1 / 400;

/** A sum with the time until which it is to be stored. */
export interface SumWithExpiry {
  readonly sum: SharedSum;
  readonly expiresAtMs: number;
}

/** What one edge has sold and billed of an account since it last told the others; nano-dollars. */
export interface SpendChange {
  /** The number of the account; see {@link accountNumber}. */
  readonly account: number;
  /** The UTC day of what was billed, days since the epoch. */
  readonly day: number;
  readonly soldNanos: number;
  readonly billedNanos: number;
}

/** The name of a campaign's account in an environment. */
export function accountName(campaignId: string, scope: string): string {
  return `${scope}campaign/${campaignId}`;
}

/**
 * The number of an account's name, 52 bits: edges name accounts to each other by it, because a text of names would take
 * several times as long to read. Of a million accounts two have the same number once in ten thousand
 * times; one of them is then paced by what was read of it last.
 */
export function accountNumber(name: string): number {
  let [a, b] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return (a >>> 6) * 2 ** 26 + (b >>> 6);
}

/** The spend and open sales of one campaign, in nano-dollars, shared by the edges. */
export class SpendAccount {
  readonly campaignId: string;
  /** The environment and generation that the account counts in. */
  readonly scope: string;
  /** Names the account's sums. */
  readonly name: string;
  readonly number: number;
  readonly unrenderedSales: UnrenderedSales;
  /** Last time that the account was asked for, ms since the epoch. */
  askedAtMs: number;
  /** Last time that a read was tried, successful or not. */
  triedAtMs = Number.NEGATIVE_INFINITY;
  /** The smallest budget that the account is held to. */
  budgetNanos = Number.POSITIVE_INFINITY;
  #day: number;
  #today: SharedSum;
  /** Sum of an earlier day with something still to send. */
  #leaving: SharedSum | null = null;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #soldNanos = 0;
  #billedNanos = 0;
  /** What was billed on an earlier day and not told. */
  #before: SpendChange | null = null;

  constructor(campaignId: string, scope: string, delay: RenderDelay, nowMs: number) {
    this.campaignId = campaignId;
    this.scope = scope;
    this.name = accountName(campaignId, scope);
    this.number = accountNumber(this.name);
    this.unrenderedSales = new UnrenderedSales(delay, nowMs);
    this.askedAtMs = nowMs;
    this.#day = Math.floor(nowMs / DAY_MS);
    this.#today = this.#sumOf(this.#day);
  }

  /** Spend of today, UTC. */
  get spentTodayNanos(): number {
    return this.#today.value;
  }

  /** When the spend of today was read, ms since the epoch; -Infinity while it is not known. */
  readAtMs(nowMs: number): number {
    this.#turn(nowMs);
    return this.#today.known ? this.#readAtMs : Number.NEGATIVE_INFINITY;
  }

  /** Whether enough was sold here that the other edges should know of it now. */
  get isDue(): boolean {
    return this.#soldNanos >= DUE_SHARE * this.budgetNanos;
  }

  /** Whether there is nothing to send and nothing to tell. */
  get settled(): boolean {
    if (this.#leaving !== null || this.#before !== null) return false;
    return this.#soldNanos === 0 && this.#billedNanos === 0 && this.#today.settled;
  }

  addSale(nanos: number, nowMs: number): void {
    this.#soldNanos += nanos;
    this.unrenderedSales.sold(nanos, nowMs);
  }

  addBilled(nanos: number, soldAtMs: number, nowMs: number): void {
    this.#turn(nowMs);
    this.#today.add(nanos);
    this.#billedNanos += nanos;
    this.unrenderedSales.rendered(nanos, nowMs - soldAtMs, nowMs);
  }

  /** Other edges have sold and billed this. */
  told({ day, soldNanos, billedNanos, likelyNanos, possibleNanos, atMs }: ToldAmount): void {
    this.unrenderedSales.add(soldNanos, billedNanos, likelyNanos, possibleNanos, atMs);
    this.#turn(atMs);
    if (day === this.#day) this.#today.told(billedNanos);
  }

  /** The sums that may have something to send. */
  sums(nowMs: number): SumWithExpiry[] {
    this.#turn(nowMs);
    const dayEndMs = (this.#day + 1) * DAY_MS + DAY_KEPT_MS;
    const sums = [{ sum: this.#today, expiresAtMs: dayEndMs }];
    if (this.#leaving !== null) sums.push({ sum: this.#leaving, expiresAtMs: dayEndMs });
    return sums;
  }

  /** Called when all that {@link sums} had to send was sent. */
  sent(): void {
    if (this.#leaving?.settled) this.#leaving = null;
  }

  /** Takes what the other edges are to be told; {@link untold} must follow where they were not. */
  takeChanges(): SpendChange[] {
    const changes = this.#before === null ? [] : [this.#before];
    if (this.#soldNanos > 0 || this.#billedNanos > 0) changes.push(this.#change());
    this.#before = null;
    this.#soldNanos = 0;
    this.#billedNanos = 0;
    return changes;
  }

  untold({ day, soldNanos, billedNanos }: SpendChange): void {
    this.#soldNanos += soldNanos;
    if (day === this.#day) this.#billedNanos += billedNanos;
  }

  /** Key of the sum whose value {@link read} takes. */
  key(nowMs: number): string {
    this.#turn(nowMs);
    return this.#today.key;
  }

  /** Takes the value at the key. */
  read(key: string, value: number | null, nowMs: number): void {
    // The day may have changed since the key was made.
    if (key !== this.#today.key || value === null) return;
    this.#today.read(value);
    this.#readAtMs = nowMs;
  }

  #change(): SpendChange {
    return { account: this.number, day: this.#day, soldNanos: this.#soldNanos, billedNanos: this.#billedNanos };
  }

  #turn(nowMs: number): void {
    const day = Math.floor(nowMs / DAY_MS);
    if (day <= this.#day) return;
    if (!this.#today.settled) this.#leaving = this.#today;
    if (this.#billedNanos > 0) {
      this.#before = { ...this.#change(), soldNanos: 0 };
      this.#billedNanos = 0;
    }
    this.#day = day;
    this.#today = this.#sumOf(day);
  }

  #sumOf(day: number): SharedSum {
    return new SharedSum(`${this.name}/spent/${new Date(day * DAY_MS).toISOString().slice(0, 10)}`);
  }
}
