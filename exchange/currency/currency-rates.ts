import { cpmMicros, MAX_CPM } from '../money/price.ts';
import { CURRENCY } from './currency.ts';

/** What one unit of each currency is worth in US dollars, by its ISO 4217 code, as of one date. */
export interface DatedRates {
  /** The date that the source gives the rates, ISO 8601. */
  readonly asOf: string;
  readonly dollarsPerUnit: Readonly<Record<string, number>>;
}

/**
 * The rates that one auction is held with. All amounts of the auction, floors, bids and the answer, are converted with
 * the same rates, and its record repeats them.
 */
export class CurrencyRates {
  readonly asOf: string;
  readonly #dollarsPerUnit: ReadonlyMap<string, number>;

  constructor({ asOf, dollarsPerUnit }: DatedRates) {
    this.asOf = asOf;
    this.#dollarsPerUnit = new Map(Object.entries(dollarsPerUnit));
  }

  /** US dollars for one unit; undefined for a currency without a rate. Codes are read in any case. */
  dollarsPerUnit(currency: string): number | undefined {
    const code = currency.toUpperCase();
    return code === CURRENCY ? 1 : this.#dollarsPerUnit.get(code);
  }
}

/**
 * Converts a CPM to whole micro-dollars CPM, rounded once, half-even; 0 for an amount that is none: not above 0, or
 * more than `MAX_CPM` dollars.
 */
export function dollarMicros(cpm: number, dollarsPerUnit: number): number {
  const dollars = cpm * dollarsPerUnit;
  return dollars > 0 && dollars <= MAX_CPM ? cpmMicros(dollars) : 0;
}

/** Converts micro-dollars CPM to a CPM in the currency, with six decimals at most. */
export function cpmIn(micros: number, dollarsPerUnit: number, round: (value: number) => number = Math.round): number {
  return round(micros / dollarsPerUnit) / 1_000_000;
}
