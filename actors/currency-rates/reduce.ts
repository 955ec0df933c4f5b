import Type, { type Static } from 'typebox';
import { DollarsPerUnit, type PublishedRates } from './messages.ts';

export const CurrencyRatesState = Type.Object({
  /** The date that the source gives the rates, ISO 8601, UTC; '' while there are none. */
  asOf: Type.String(),
  source: Type.String(),
  /** When the source was last read, ISO 8601, UTC. */
  fetchedAt: Type.String(),
  /** The rates in use: US dollars for one unit, by ISO 4217 code. */
  dollarsPerUnit: DollarsPerUnit,
  /** Rates that jumped, and wait for a later date of the source to confirm them: their currencies are not in use. */
  doubted: DollarsPerUnit,
  /** The date of the doubted rates. */
  doubtedAsOf: Type.String(),
  /** The last rates that were in use, of doubted currencies and of those that the source has left out since, too. */
  trusted: DollarsPerUnit,
});
export type CurrencyRatesState = Static<typeof CurrencyRatesState>;

/** A rate that changes by more than this factor between two dates, up or down, is doubted. */
const JUMP = 1.25;

/**
 * Takes the rates of a source. Rates of an earlier date than those in use are ignored. A rate that jumped is more
 * likely a mistake of the source, such as a rate the wrong way round, than the market: its currency is taken out of
 * use, and comes back when the source repeats the rate for a later date, or takes it back.
 */
export function takeRates(state: CurrencyRatesState, published: PublishedRates, nowMs: number): CurrencyRatesState {
  const fetchedAt = new Date(nowMs).toISOString();
  if (published.asOf < state.asOf) return { ...state, fetchedAt };
  const used: Record<string, number> = {};
  const doubted: Record<string, number> = {};
  // Kept for a currency that is left out: it may come back with a mistake.
  const trusted: Record<string, number> = { ...state.trusted };
  const isLater = published.asOf > state.doubtedAsOf;
  for (const [code, rate] of Object.entries(published.dollarsPerUnit)) {
    const before = state.trusted[code];
    const suspect = state.doubted[code];
    const isConfirmed = suspect !== undefined && isLater && isNear(rate, suspect);
    if (before === undefined || isNear(rate, before) || isConfirmed) {
      used[code] = rate;
      trusted[code] = rate;
    } else doubted[code] = rate;
  }
  const isNewDoubt = Object.keys(doubted).some((code) => !isNear(doubted[code]!, state.doubted[code] ?? Number.NaN));
  return {
    asOf: published.asOf,
    source: published.source,
    fetchedAt,
    dollarsPerUnit: used,
    doubted,
    doubtedAsOf: isNewDoubt || state.doubtedAsOf === '' ? published.asOf : state.doubtedAsOf,
    trusted,
  };
}

function isNear(rate: number, other: number): boolean {
  return rate <= other * JUMP && rate >= other / JUMP;
}
