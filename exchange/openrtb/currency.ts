import type { BidRequest } from './bid-request.ts';

/** The exchange trades in US dollars alone: it keeps no exchange rates, so nothing else can be compared or billed. */
export const CURRENCY = 'USD';

/** Whether the caller takes bids in the exchange's currency; where it does not, nothing can fill the request. */
export function acceptsDollars(request: BidRequest): boolean {
  return request.cur === undefined || request.cur.length === 0 || request.cur.includes(CURRENCY);
}
