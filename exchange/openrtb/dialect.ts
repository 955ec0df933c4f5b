import { eraseIds } from '../consent/erase-ids.ts';
import { allowsIds, type PrivacyTreatment } from '../consent/treatment.ts';
import { withhold } from '../consent/withhold.ts';
import type { BidRequest } from './bid-request.ts';
import { downgrade } from './downgrade.ts';
import { applyExchangePolicy, type ExchangePolicy } from './exchange-policy.ts';
import { shallowCopy } from './shallow-copy.ts';
import { upgrade } from './upgrade.ts';

/** The dialects that bidders speak. */
export type Dialect = '2.5' | '2.6';

/**
 * Writes the body that every bidder of one dialect receives: called once per dialect, not once per bidder. The caller's
 * request may be in either dialect, or in both at once; it is left as it is. Unknown fields and `ext` are kept, but for what
 * the treatment of the viewer withholds. `request` is what `offerable` made of it, which whoever writes several bodies does once.
 */
export function writeBidRequest(request: BidRequest, dialect: Dialect, terms: ExchangePolicy): string {
  const offered = applyExchangePolicy(request, terms);
  return JSON.stringify(dialect === '2.6' ? upgrade(offered) : downgrade(offered, terms.blockedCategories));
}

/** What of a request may leave for bidders: without what the treatment withholds, wherever in the request it stands. */
export function redactForBidders(request: BidRequest, treatment: PrivacyTreatment): BidRequest {
  if (allowsIds(treatment)) return request;
  return eraseIds(request, withhold(shallowCopy(request), treatment));
}
