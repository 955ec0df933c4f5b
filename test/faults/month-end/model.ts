import { createHash } from 'node:crypto';
import type { Impression } from '#actors/impression-rollup/messages';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const WINDOW_MS = 300_000;

/** Impressions and what they move, nano-dollars. */
export interface ModelSum {
  impressions: number;
  gross: bigint;
  fee: bigint;
}

interface RegionSum extends ModelSum {
  /** By counterparty. */
  readonly rows: Map<string, ModelSum>;
}

interface OwnerDay {
  /** By hour of the day, then region. */
  readonly hours: Map<number, Map<string, RegionSum>>;
  /** By the start of the budget window of the sale. */
  readonly windows: Map<number, ModelSum>;
  /** Impressions by the start of the minute. */
  readonly minutes: Map<number, number>;
}

/** One owner of ledgers: `publisher`, `dsp`, `campaign`, `account` or `platform`, and its id. */
export interface ModelOwner {
  readonly scope: 'publisher' | 'dsp' | 'campaign' | 'account' | 'platform';
  readonly id: string;
}

/**
 * What the books of each owner must be, from the impressions that were acknowledged and the time at which the log took
 * them. It is written from the specification of statements and shares nothing with the reducers.
 */
export class StatementModel {
  readonly #owners = new Map<string, { readonly owner: ModelOwner; readonly days: Map<string, OwnerDay> }>();
  acknowledged = 0;

  add(impression: Impression, atMs: number): void {
    this.acknowledged += 1;
    const { publisher, dsp, campaign, account } = impression;
    this.#book({ scope: 'publisher', id: publisher }, impression, atMs, dsp);
    this.#book({ scope: 'dsp', id: dsp }, impression, atMs, publisher);
    this.#book({ scope: 'campaign', id: campaign! }, impression, atMs, publisher);
    this.#book({ scope: 'account', id: account! }, impression, atMs, null);
    this.#book({ scope: 'platform', id: 'exchange' }, impression, atMs, null);
  }

  get owners(): ModelOwner[] {
    return [...this.#owners.values()].map(({ owner }) => owner);
  }

  /** The money of a day's ledger in the canonical form of a statement; `[]` where there is none. */
  text({ scope, id }: ModelOwner, day: string): string {
    const books = this.#owners.get(`${scope}:${id}`)?.days.get(day);
    if (books === undefined) return '[]';
    const money = ({ impressions, gross, fee }: ModelSum) => `${impressions},${gross},${fee}`;
    const hours = sortedNumbers(books.hours).flatMap(([hour, regions]) =>
      sortedTexts(regions).map(([region, sum]) => {
        const rows = sortedTexts(sum.rows).map(([other, row]) => `["${other}",${money(row)}]`);
        return `[${hour},"${region}",${money(sum)},[${rows.join(',')}]]`;
      }),
    );
    const windows = sortedNumbers(books.windows).map(
      ([startMs, { impressions, gross }]) => `[${startMs},${impressions},${gross}]`,
    );
    return `[["${scope}:${id}:${day}",[${hours.join(',')}],[${windows.join(',')}]]]`;
  }

  /** The SHA-256 of a statement whose month has this one day. */
  hash(owner: ModelOwner, day: string): string {
    return createHash('sha256').update(this.text(owner, day)).digest('hex');
  }

  sum({ scope, id }: ModelOwner, day: string): ModelSum {
    const sum = { impressions: 0, gross: 0n, fee: 0n };
    const hours = this.#owners.get(`${scope}:${id}`)?.days.get(day)?.hours.values() ?? [];
    for (const regions of hours) for (const one of regions.values()) addTo(sum, one.impressions, one.gross, one.fee);
    return sum;
  }

  /** Impressions by the start of the minute, of one day. */
  minutes({ scope, id }: ModelOwner, day: string): ReadonlyMap<number, number> {
    return this.#owners.get(`${scope}:${id}`)?.days.get(day)?.minutes ?? new Map();
  }

  #book(
    owner: ModelOwner,
    { region, soldAtMs, priceCpmMicros, feePpm }: Impression,
    atMs: number,
    other: string | null,
  ) {
    const key = `${owner.scope}:${owner.id}`;
    const books = getOr(this.#owners, key, () => ({ owner, days: new Map<string, OwnerDay>() }));
    const day = getOr(books.days, new Date(atMs).toISOString().slice(0, 10), () => ({
      hours: new Map(),
      windows: new Map(),
      minutes: new Map(),
    }));
    const hour = getOr(day.hours, Math.floor(atMs / HOUR_MS) % 24, () => new Map<string, RegionSum>());
    const sum = getOr(hour, region, () => ({ impressions: 0, gross: 0n, fee: 0n, rows: new Map<string, ModelSum>() }));
    // A price of so many micro-dollars for a thousand is as many nano-dollars for one.
    const gross = BigInt(priceCpmMicros);
    const fee = halfEven(gross * BigInt(feePpm), 1_000_000n);
    addTo(sum, 1, gross, fee);
    if (other !== null) addTo(getOr(sum.rows, other, noMoney), 1, gross, fee);
    const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
    day.minutes.set(minuteMs, (day.minutes.get(minuteMs) ?? 0) + 1);
    // Books of accounts and of the platform have no budget windows.
    if (other === null) return;
    addTo(getOr(day.windows, Math.floor(soldAtMs! / WINDOW_MS) * WINDOW_MS, noMoney), 1, gross, fee);
  }
}

function noMoney(): ModelSum {
  return { impressions: 0, gross: 0n, fee: 0n };
}

function addTo(sum: ModelSum, impressions: number, gross: bigint, fee: bigint): void {
  sum.impressions += impressions;
  sum.gross += gross;
  sum.fee += fee;
}

function halfEven(dividend: bigint, divisor: bigint): bigint {
  const [floor, rest] = [dividend / divisor, dividend % divisor];
  const isUp = 2n * rest > divisor || (2n * rest === divisor && floor % 2n === 1n);
  return isUp ? floor + 1n : floor;
}

function getOr<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function sortedNumbers<V>(map: ReadonlyMap<number, V>): [number, V][] {
  return [...map].sort(([a], [b]) => a - b);
}

function sortedTexts<V>(map: ReadonlyMap<string, V>): [string, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
