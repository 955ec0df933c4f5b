import { eraseIds } from '../consent/erase-ids.ts';
import { allowsIds } from '../consent/treatment.ts';
import type { BidRequest } from './bid-request.ts';
import { downgrade } from './downgrade.ts';
import { applyExchangeTerms, type ExchangeTerms } from './exchange-terms.ts';
import { upgrade } from './upgrade.ts';

/** The dialects that bidders speak. */
export type Dialect = '2.5' | '2.6';

/**
 * Writes the body that every bidder of one dialect receives: called once per dialect, not once per bidder. The caller's
 * request may be in either dialect, or in both at once; it is left as it is. Unknown fields and `ext` are kept, but for what
 * the treatment of the viewer withholds.
 */
export function writeBidRequest(request: BidRequest, dialect: Dialect, terms: ExchangeTerms): string {
  const offered = applyExchangeTerms(request, terms);
  if (dialect === '2.6') upgrade(offered);
  else downgrade(offered, terms.blockedCategories);
  const text = JSON.stringify(offered);
  return terms.treatment === undefined || allowsIds(terms.treatment) ? text : eraseIds(request, offered, text);
}
