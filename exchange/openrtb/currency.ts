import type { BidRequest } from './bid-request.ts';

/**
 * The exchange trades in US dollars alone: it has no exchange rates, so other currencies can be neither compared nor
 * billed.
 */
export const CURRENCY = 'USD';

/** Whether the caller accepts bids in US dollars. Where it does not, no bid can fill the request. */
export function acceptsDollars(request: BidRequest): boolean {
  return request.cur === undefined || request.cur.length === 0 || request.cur.includes(CURRENCY);
}
