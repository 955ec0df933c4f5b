import { isObject } from '../openrtb/shape.ts';
import { CURRENCY } from './currency.ts';
import type { DatedRates } from './currency-rates.ts';

/** An ISO 4217 code. */
const CODE = /^[A-Z]{3}$/;
/** ISO 4217 has fewer than 200 currencies. */
const MOST_CURRENCIES = 400;

/** A document that holds no rates. The message says what is wrong with it. */
export class InvalidRates extends Error {}

/**
 * Reads a document of rates as Prebid Server and Prebid.js do: `dataAsOf` (or `generatedAt`) and
 * `conversions.<from>.<to>`, units of `to` for one unit of `from`. A currency's rate is taken from `<currency>.USD`,
 * else from `USD.<currency>`, else by way of another base that has both, in the order of the document.
 *
 * Throws `InvalidRates` for a document without a date or without any rate, and for a rate that is no positive number.
 */
export function readRates(document: unknown): DatedRates {
  if (!isObject(document) || !isObject(document.conversions)) throw new InvalidRates('conversions must be an object');
  const stated = document.dataAsOf ?? document.generatedAt;
  const asOfMs = typeof stated === 'string' ? Date.parse(stated) : Number.NaN;
  if (Number.isNaN(asOfMs)) throw new InvalidRates('dataAsOf must be a date');
  const bases = new Map<string, ReadonlyMap<string, number>>();
  for (const [base, quotes] of Object.entries(document.conversions)) {
    if (!CODE.test(base)) throw new InvalidRates(`conversions.${base.slice(0, 20)} is no currency code`);
    if (!isObject(quotes)) throw new InvalidRates(`conversions.${base} must be an object`);
    bases.set(base, readQuotes(base, quotes));
  }
  const codes = new Set([...bases.keys(), ...[...bases.values()].flatMap((quotes) => [...quotes.keys()])]);
  codes.delete(CURRENCY);
  if (codes.size > MOST_CURRENCIES) throw new InvalidRates(`more than ${MOST_CURRENCIES} currencies`);
  const rates = [...codes].sort().flatMap((code) => {
    const rate = dollarsPerUnit(code, bases);
    return rate === undefined ? [] : [[code, rate] as const];
  });
  if (rates.length === 0) throw new InvalidRates('no currency can be converted to US dollars');
  return { asOf: new Date(asOfMs).toISOString(), dollarsPerUnit: Object.fromEntries(rates) };
}

function readQuotes(base: string, quotes: Record<string, unknown>): ReadonlyMap<string, number> {
  const read = new Map<string, number>();
  for (const [code, rate] of Object.entries(quotes)) {
    const path = `conversions.${base}.${code.slice(0, 20)}`;
    if (!CODE.test(code)) throw new InvalidRates(`${path} is no currency code`);
    // The inverse must be a number too.
    if (typeof rate !== 'number' || !(rate >= 1e-12 && rate <= 1e12)) {
      throw new InvalidRates(`${path} must be a positive number`);
    }
    read.set(code, rate);
  }
  return read;
}

function dollarsPerUnit(code: string, bases: ReadonlyMap<string, ReadonlyMap<string, number>>): number | undefined {
  const direct = bases.get(code)?.get(CURRENCY);
  if (direct !== undefined) return direct;
  const inverse = bases.get(CURRENCY)?.get(code);
  if (inverse !== undefined) return 1 / inverse;
  for (const quotes of bases.values()) {
    const dollars = quotes.get(CURRENCY);
    const units = quotes.get(code);
    if (dollars !== undefined && units !== undefined) return dollars / units;
  }
  return undefined;
}
