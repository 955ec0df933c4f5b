import type { BidRequest } from '../openrtb/bid-request.ts';

/** The currency of auctions, of budgets and of the books. Amounts in others are converted as they come in. */
export const CURRENCY = 'USD';

/**
 * Whether a bid in US dollars can fill the request. Where its currencies have rates, the request names US dollars too
 * ({@link readRequestCurrencies}).
 */
export function acceptsDollars(request: Pick<BidRequest, 'cur'>): boolean {
  return request.cur === undefined || request.cur.length === 0 || request.cur.includes(CURRENCY);
}
