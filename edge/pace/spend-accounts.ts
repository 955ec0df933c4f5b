import type { RenderDelay } from '../../exchange/pacing/render-delay.ts';
import { NumberTable } from '../number-table.ts';
import type { SpendAccount } from './spend-account.ts';
import { ToldAmounts } from './told-amounts.ts';
import type { ToldText } from './told-text.ts';

const NOWHERE = -1;

/**
 * Accounts by their numbers, in an order that can be walked a part at a time. Tens of thousands are looked up each
 * second among a hundred thousand, which takes a third of what a `Map` of such numbers takes.
 */
export class SpendAccounts {
  readonly #places = new NumberTable();
  readonly #accounts: SpendAccount[] = [];
  readonly #told: ToldAmounts;
  /** Of the text that is being read. */
  #toldPlaces = new Int32Array(0);
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

  /**
   * Another edge has sold and billed this of accounts, as far as they are here; {@link takeTold} gives it to them. All
   * places are looked up first: each lookup waits for memory, and in a short loop several wait at once.
   */
  addTold({ day, accounts, soldNanos, billedNanos }: Omit<ToldText, 'edge'>, nowMs: number): void {
    if (this.#toldPlaces.length < accounts.length) this.#toldPlaces = new Int32Array(2 * accounts.length);
    const places = this.#toldPlaces;
    for (let index = 0; index < accounts.length; index++) places[index] = this.#places.get(accounts[index]!) ?? NOWHERE;
    for (let index = 0; index < accounts.length; index++) {
      const place = places[index]!;
      if (place === NOWHERE) continue;
      if (this.#told.add(place, day, soldNanos[index]!, billedNanos[index]!, nowMs)) continue;
      this.#takeTold(place, nowMs);
      this.#told.add(place, day, soldNanos[index]!, billedNanos[index]!, nowMs);
    }
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
