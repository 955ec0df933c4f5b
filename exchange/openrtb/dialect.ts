import { eraseIds } from '../consent/erase-ids.ts';
import { allowsIds, type PrivacyTreatment } from '../consent/treatment.ts';
import { withhold } from '../consent/withhold.ts';
import type { BidRequest } from './bid-request.ts';
import { downgrade } from './downgrade.ts';
import { applyExchangePolicy, type ExchangePolicy } from './exchange-policy.ts';
import { shallowCopy } from './shallow-copy.ts';
import { upgrade } from './upgrade.ts';

/** The OpenRTB versions that bidders speak. */
export type Dialect = '2.5' | '2.6';

/**
 * Writes the body that all bidders of one dialect receive; it is called once per dialect. `request` is the result of
 * `redactForBidders`, which the caller computes once for several bodies. The request may be in either dialect, or in
 * both at once, and is not changed. Unknown fields and `ext` are kept, except for what the treatment of the viewer
 * withholds.
 */
export function writeBidRequest(request: BidRequest, dialect: Dialect, terms: ExchangePolicy): string {
  const offered = applyExchangePolicy(request, terms);
  return JSON.stringify(dialect === '2.6' ? upgrade(offered) : downgrade(offered, terms.blockedCategories));
}

/** The request as it may leave for bidders: without what the treatment withholds, anywhere in the request. */
export function redactForBidders(request: BidRequest, treatment: PrivacyTreatment): BidRequest {
  if (allowsIds(treatment)) return request;
  return eraseIds(request, withhold(shallowCopy(request), treatment));
}
