import { cpmMicros, cpmOf, MAX_CPM } from '../money/price.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { DurationFloor } from '../openrtb/fields/duration-floor.ts';
import { InvalidFloor } from '../openrtb/invalid-bid-request.ts';
import type { Mutable } from '../openrtb/shallow-copy.ts';
import { acceptsDollars, CURRENCY } from './currency.ts';
import type { CurrencyRates } from './currency-rates.ts';

/** A floor of an imp as the caller stated it, and the rate that it was converted with. */
export interface StatedFloor {
  readonly impId: string;
  readonly cpm: number;
  readonly currency: string;
  readonly dollarsPerUnit: number;
}

/** How a request's amounts were read: with which rates, and in which currency it is answered. */
export interface RequestCurrencies {
  readonly rates: CurrencyRates;
  /** The currencies that bidders may bid in, US dollars first. */
  readonly accepted: readonly string[];
  /** The currency of the answer: US dollars where the request takes them. */
  readonly answer: string;
  /** The floors of imps that were not in US dollars. */
  readonly statedFloors: readonly StatedFloor[];
}

/**
 * Converts a request's floors to US dollars, in place, and decides which currencies are traded: of `cur` those that
 * have a rate, and US dollars. Where none of `cur` has a rate, `cur` stays as it is, and no bid can fill the request.
 *
 * Throws `InvalidFloor` for a floor in a currency without a rate.
 */
export function readRequestCurrencies(request: BidRequest, rates: CurrencyRates): RequestCurrencies {
  const statedFloors = convertFloors(request, rates);
  const { cur = [] } = request;
  const known = cur.filter((code) => rates.dollarsPerUnit(code) !== undefined).map((code) => code.toUpperCase());
  const accepted = [...new Set([CURRENCY, ...known])];
  if (acceptsDollars(request)) return { rates, accepted, answer: CURRENCY, statedFloors };
  if (known.length > 0) (request as Mutable<BidRequest>).cur = accepted;
  const answer = known.includes(CURRENCY) ? CURRENCY : (known[0] ?? CURRENCY);
  return { rates, accepted, answer, statedFloors };
}

/** Of a request without amounts in other currencies, as tags make them: bidders' bids may be in any with a rate. */
export function tradedInDollars(rates: CurrencyRates): RequestCurrencies {
  return { rates, accepted: [CURRENCY], answer: CURRENCY, statedFloors: [] };
}

interface Priced {
  bidfloor?: number;
  bidfloorcur?: string;
}

function convertFloors(request: BidRequest, rates: CurrencyRates): StatedFloor[] {
  const stated: StatedFloor[] = [];
  for (const [index, imp] of request.imp.entries()) {
    const path = `imp[${index}]`;
    const converting = rateOf(imp.bidfloorcur, rates);
    if (converting !== undefined) {
      const media = [imp.video, imp.audio].filter((medium) => medium !== undefined);
      const durations = media.flatMap(({ durfloors = [] }) => durfloors);
      const amounts = [imp.bidfloor, ...media.map(({ mincpmpersec }) => mincpmpersec), ...durations.map(floorOf)];
      const dollarsPerUnit = requiredRate(converting, amounts, path);
      if (imp.bidfloor) {
        stated.push({ impId: imp.id, cpm: imp.bidfloor, currency: converting.currency, dollarsPerUnit });
      }
      convert(imp, durations, dollarsPerUnit);
      for (const medium of media) convertPerSecond(medium, dollarsPerUnit);
    }
    for (const [at, deal] of imp.pmp?.deals?.entries() ?? []) {
      // A deal's currency is its own: it is not inherited from the imp (2.6 §3.2.12).
      const agreed = rateOf(deal.bidfloorcur, rates);
      if (agreed === undefined) continue;
      const { durfloors = [] } = deal;
      const amounts = [deal.bidfloor, deal.mincpmpersec, ...durfloors.map(floorOf)];
      const dollarsPerUnit = requiredRate(agreed, amounts, `${path}.pmp.deals[${at}]`);
      convert(deal, durfloors, dollarsPerUnit);
      convertPerSecond(deal, dollarsPerUnit);
    }
  }
  return stated;
}

interface Converting {
  readonly currency: string;
  /** Undefined for a currency without a rate. */
  readonly dollarsPerUnit: number | undefined;
}

/** Undefined where nothing is to be converted. */
function rateOf(currency: string | undefined, rates: CurrencyRates): Converting | undefined {
  const code = currency?.toUpperCase();
  if (code === undefined || code === '' || code === CURRENCY) return undefined;
  return { currency: code, dollarsPerUnit: rates.dollarsPerUnit(code) };
}

/** The rate; 0 where there is none and none is needed: zero is no floor, in any currency. */
function requiredRate(
  { currency, dollarsPerUnit }: Converting,
  amounts: readonly (number | undefined)[],
  path: string,
): number {
  if (dollarsPerUnit !== undefined) return dollarsPerUnit;
  if (amounts.every((amount) => !amount)) return 0;
  throw new InvalidFloor(`${path}.bidfloorcur`, `is ${currency.slice(0, 8)}, for which there is no rate`);
}

function convert(priced: Priced, durations: readonly DurationFloor[], dollarsPerUnit: number): void {
  if (priced.bidfloor !== undefined) priced.bidfloor = inDollars(priced.bidfloor, dollarsPerUnit);
  priced.bidfloorcur = CURRENCY;
  for (const floor of durations as Mutable<DurationFloor>[]) {
    if (floor.bidfloor !== undefined) floor.bidfloor = inDollars(floor.bidfloor, dollarsPerUnit);
  }
}

function convertPerSecond(priced: { mincpmpersec?: number }, dollarsPerUnit: number): void {
  if (priced.mincpmpersec !== undefined) priced.mincpmpersec = inDollars(priced.mincpmpersec, dollarsPerUnit);
}

/** Amounts that no floor may have stay such, and are refused with the floors in US dollars. */
function inDollars(cpm: number, dollarsPerUnit: number): number {
  const dollars = cpm * dollarsPerUnit;
  return dollars >= 0 && dollars <= MAX_CPM ? cpmOf(cpmMicros(dollars)) : dollars;
}

function floorOf({ bidfloor }: DurationFloor): number | undefined {
  return bidfloor;
}
