import type { RenderDelay } from '../../exchange/pacing/render-delay.ts';
import { NumberTable } from '../number-table.ts';
import type { SpendAccount } from './spend-account.ts';
import { ToldAmounts } from './told-amounts.ts';

/**
 * Accounts by their numbers, in an order that can be walked a part at a time. Tens of thousands are looked up each second among
 * a hundred thousand, which takes a third of what a `Map` of such numbers takes.
 */
export class SpendAccounts {
  readonly #places = new NumberTable();
  readonly #accounts: SpendAccount[] = [];
  readonly #told: ToldAmounts;
  #next = 0;

  constructor(delay: RenderDelay) {
    this.#told = new ToldAmounts(delay);
  }

  get size(): number {
    return this.#accounts.length;
  }

  get(number: number): SpendAccount | undefined {
    const place = this.#places.get(number);
    return place === undefined ? undefined : this.#accounts[place];
  }

  /** Takes the place of an account with the same number. */
  set(account: SpendAccount): void {
    const place = this.#places.get(account.number) ?? this.#accounts.length;
    this.#accounts[place] = account;
    this.#places.set(account.number, place);
  }

  /** Another edge has sold and billed this of an account, if it is here; {@link takeTold} gives it to the account. */
  addTold(number: number, day: number, soldNanos: number, billedNanos: number, nowMs: number): void {
    const place = this.#places.get(number);
    if (place === undefined || this.#told.add(place, day, soldNanos, billedNanos, nowMs)) return;
    this.#takeTold(place, nowMs);
    this.#told.add(place, day, soldNanos, billedNanos, nowMs);
  }

  /** Tells an account what others have told of it. What it says is true only afterwards. */
  takeTold({ number }: SpendAccount, nowMs: number): void {
    const place = this.#places.get(number);
    if (place !== undefined) this.#takeTold(place, nowMs);
  }

  delete({ number }: SpendAccount): void {
    const place = this.#places.get(number);
    if (place === undefined) return;
    this.#places.delete(number);
    const last = this.#accounts.pop()!;
    if (place === this.#accounts.length) {
      this.#told.drop(place);
      return;
    }
    this.#accounts[place] = last;
    this.#places.set(last.number, place);
    this.#told.move(this.#accounts.length, place);
    // The walk has just been here: it looks at the one that has moved, too.
    if (place === this.#next - 1) this.#next = place;
  }

  /** The next one of a round that begins anew after the last; undefined where there is none. */
  next(): SpendAccount | undefined {
    if (this.#next >= this.#accounts.length) this.#next = 0;
    return this.#accounts[this.#next++];
  }

  #takeTold(place: number, nowMs: number): void {
    const amount = this.#told.take(place, nowMs);
    if (amount !== null) this.#accounts[place]!.told(amount);
  }
}
