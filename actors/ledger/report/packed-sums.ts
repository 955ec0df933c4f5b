import { longKey } from '../names-text.ts';
import { ROW_PARTS } from '../packed-page.ts';
import { rowName } from '../page.ts';
import { hasRows, type LedgerTotals, type RowSum, rowOf } from './ledger-sum.ts';

const AMPERSAND = 38;
const COMMA = 44;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
const EQUALS = 61;

/** The place of one region in a packed page: `start` ≤ character < `end`. */
export interface PackedRegion {
  readonly region: string;
  readonly start: number;
  readonly end: number;
}

/** The regions of a packed page (see packed-page.ts). */
export function regionsIn(packed: string): PackedRegion[] {
  const regions: PackedRegion[] = [];
  for (let start = 0; start < packed.length; ) {
    const end = endOf(packed, ';', start, packed.length);
    regions.push({ region: decodeURIComponent(packed.slice(start, packed.indexOf('|', start))), start, end });
    start = end + 1;
  }
  return regions;
}

/**
 * Adds up packed pages of one ledger without unpacking them: six hours of a busy source hold 50,000 rows. The sums are
 * complete only after `finish`.
 */
export class PackedSums {
  readonly #sum: LedgerTotals;
  readonly #counts = new CountSums();
  readonly #latency = new CountSums();
  readonly #counterparties: RowSums;
  readonly #creatives: RowSums;

  /** `names` is the ledger's table of names. */
  constructor(sum: LedgerTotals, names: readonly string[]) {
    this.#sum = sum;
    this.#counterparties = new RowSums(names);
    this.#creatives = new RowSums(names);
  }

  add(packed: string, { start, end }: PackedRegion): void {
    const sums = packed.indexOf('|', start) + 1;
    const counts = packed.indexOf('|', sums) + 1;
    const latency = packed.indexOf('|', counts) + 1;
    const counterparties = packed.indexOf('|', latency) + 1;
    const [impressions, gross, fee] = packed.slice(sums, counts - 1).split(',') as [string, string, string];
    this.#sum.impressions += Number(impressions);
    this.#sum.grossNanos += BigInt(gross);
    this.#sum.feeNanos += BigInt(fee);
    this.#counts.add(packed, counts, latency - 1);
    this.#latency.add(packed, latency, counterparties - 1);
    if (!hasRows(this.#sum)) return;
    const creatives = packed.indexOf('|', counterparties) + 1;
    const whole = [Number(impressions), Number(gross), Number(fee)];
    this.#counterparties.add(packed, counterparties, creatives - 1, whole);
    this.#creatives.add(packed, creatives, end, whole);
  }

  finish(): void {
    const { counts, latency } = this.#sum;
    for (const [name, count] of this.#counts) counts.set(name, (counts.get(name) ?? 0) + count);
    for (const [bin, count] of this.#latency) latency[bin] = (latency[bin] ?? 0) + count;
    if (!hasRows(this.#sum)) return;
    this.#counterparties.finish(this.#sum.counterparties);
    this.#creatives.finish(this.#sum.creatives);
  }
}

/**
 * Sums of `<name>=<count>,…`. A page usually has the names of the page before it, in the same order: the expected name
 * is compared first, and a name is cut out only where it differs.
 */
class CountSums {
  /** The names as they are packed, `=` included. */
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #sums: number[] = [];

  add(packed: string, start: number, end: number): void {
    let number = 0;
    for (let at = start; at < end; at++) {
      const expected = this.#names[number];
      if (expected === undefined || !packed.startsWith(expected, at)) {
        number = this.#numberOf(packed.slice(at, packed.indexOf('=', at) + 1));
      }
      at += this.#names[number]!.length;
      let count = 0;
      for (; at < end; at++) {
        const code = packed.charCodeAt(at);
        if (code === COMMA) break;
        count = count * 10 + (code - DIGIT_0);
      }
      this.#sums[number]! += count;
      number++;
    }
  }

  *[Symbol.iterator](): Generator<[name: string, count: number]> {
    for (const [number, name] of this.#names.entries()) {
      yield [decodeURIComponent(name.slice(0, -1)), this.#sums[number]!];
    }
  }

  #numberOf(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#names.push(name) - 1;
      this.#sums.push(0);
      this.#numbers.set(name, number);
    }
    return number;
  }
}

const PARTS = ROW_PARTS.length;

/** Sums of rows in one array: the row of each name, by its number, has one cell for each of its figures. */
class RowSums {
  readonly #names: string[];
  readonly #numbers = new Map<string, number>();
  readonly #cells: number[] = [];
  readonly #present: boolean[] = [];
  /** The part of a cell's sum that the cell could not hold exactly. */
  readonly #carried = new Map<number, bigint>();

  constructor(names: readonly string[]) {
    this.#names = [...names];
  }

  /** `whole`: the money of the region, which a row without figures has. */
  add(packed: string, start: number, end: number, whole: readonly number[]): void {
    for (let at = start; at < end; at++) {
      let code = packed.charCodeAt(at);
      let number = 0;
      if (code >= DIGIT_0 && code <= DIGIT_9) {
        for (; code !== EQUALS; code = packed.charCodeAt(++at)) number = number * 10 + (code - DIGIT_0);
      } else {
        const equals = packed.indexOf('=', at);
        number = this.#numberOf(packed.slice(at, equals));
        at = equals;
      }
      if (!this.#present[number]) this.#make(number);
      let cell = number * PARTS;
      code = packed.charCodeAt(at + 1);
      if (at + 1 >= end || code === AMPERSAND) {
        for (const value of whole) this.#addTo(cell++, value);
        at += 1;
        continue;
      }
      do {
        let value = 0;
        for (code = packed.charCodeAt(++at); code >= DIGIT_0 && code <= DIGIT_9; code = packed.charCodeAt(++at)) {
          value = value * 10 + (code - DIGIT_0);
        }
        this.#addTo(cell++, value);
      } while (code === COMMA);
    }
  }

  finish(sums: Map<string, RowSum>): void {
    for (const [number, key] of this.#names.entries()) {
      if (!this.#present[number]) continue;
      const sum = rowOf(sums, rowName(longKey(key)));
      for (const [part, name] of ROW_PARTS.entries()) {
        const cell = number * PARTS + part;
        const value = BigInt(this.#cells[cell]!) + (this.#carried.get(cell) ?? 0n);
        if (name === 'grossNanos' || name === 'feeNanos') sum[name] += value;
        else sum[name] += Number(value);
      }
    }
  }

  /** The number of a name that is not in the ledger's table. */
  #numberOf(key: string): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#names.push(key) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  #make(number: number): void {
    if (number >= this.#names.length)
      throw new RangeError(`a packed page has a row ${number}, of ${this.#names.length}`);
    while (this.#cells.length < (number + 1) * PARTS) this.#cells.push(0);
    this.#present[number] = true;
  }

  #addTo(cell: number, value: number): void {
    const sum = this.#cells[cell]! + value;
    if (sum <= Number.MAX_SAFE_INTEGER) this.#cells[cell] = sum;
    else this.#carry(cell, value);
  }

  #carry(cell: number, value: number): void {
    this.#carried.set(cell, (this.#carried.get(cell) ?? 0n) + BigInt(this.#cells[cell]!));
    this.#cells[cell] = value;
  }
}

function endOf(text: string, mark: string, from: number, end: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? end : at;
}
