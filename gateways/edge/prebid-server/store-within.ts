import type { BiddingTimes } from '#edge/settings';

/**
 * How long an answer waits for the cache of bids, ms: what is left of the caller's `tmax` less the exchange's own
 * margin; without a `tmax` as long as for bidders. Storing is the exchange's own work, so it has the margin at least: an
 * auction whose slowest bidder took all of its time has nothing else left.
 */
export function storeWithinMs(
  tmaxMs: number | undefined,
  elapsedMs: number,
  { maxTimeoutMs, answerMarginMs }: BiddingTimes,
): number {
  const leftMs = tmaxMs ? tmaxMs - answerMarginMs - elapsedMs : maxTimeoutMs;
  return Math.max(answerMarginMs, leftMs);
}
