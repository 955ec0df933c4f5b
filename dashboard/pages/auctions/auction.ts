import type { components } from '../../api/generated.d.ts';

export type Auction = components['schemas']['Auction'];
export type AuctionListed = components['schemas']['AuctionListed'];
export type Participant = Auction['demand'][number];
export type Bid = Participant['bids'][number];

export const OUTCOMES = [
  { value: 'filled', label: 'Filled' },
  { value: 'unfilled', label: 'Unfilled' },
  { value: 'blocked', label: 'Blocked' },
  { value: 'invalid', label: 'Invalid' },
  { value: 'expired', label: 'Expired' },
] as const;

/** What a demand source may be asked by beside an auction's own outcomes. */
export const DEMAND_OUTCOMES = [
  { value: 'won', label: 'Won' },
  { value: 'lost', label: 'Lost' },
  { value: 'answered', label: 'Answered without a bid that counts' },
  { value: 'not-called', label: 'Not asked' },
] as const;

export const SINCE = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: 'all', label: 'All that is kept' },
] as const;

const HOUR_MS = 3_600_000;
const SPANS: ReadonlyMap<string, number> = new Map([
  ['1h', HOUR_MS],
  ['24h', 24 * HOUR_MS],
  ['7d', 7 * 24 * HOUR_MS],
]);

/**
 * From when on, as the API takes it; a minute's precision, so that the same filter is the same question for a while.
 */
export function fromOf(since: string, nowMs = Date.now()): string | undefined {
  const span = SPANS.get(since);
  if (span === undefined) return undefined;
  return new Date(Math.floor((nowMs - span) / 60_000) * 60_000).toISOString();
}
