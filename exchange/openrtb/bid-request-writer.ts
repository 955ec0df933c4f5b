import { RepeatedIds } from '../consent/erase-ids.ts';
import { allowsIds, type PrivacyTreatment } from '../consent/treatment.ts';
import { withhold } from '../consent/withhold.ts';
import type { BidRequest } from './bid-request.ts';
import { type Dialect, redactForBidders, writeBidRequest } from './dialect.ts';
import type { ExchangePolicy } from './exchange-policy.ts';
import { shallowCopy } from './shallow-copy.ts';

/**
 * Writes one request for bidders, once for each of their dialects and time limits. It writes what
 * `writeBidRequest(redactForBidders(request, treatment), …)` does. Ids that the request repeats outside their fields
 * are looked for in the written text, which takes a fifth of the time of a walk through the request; only a request
 * that repeats one is redacted and written again.
 */
export class BidRequestWriter {
  readonly #request: BidRequest;
  readonly #treatment: PrivacyTreatment;
  /** Null where ids may leave, and once the request has been redacted. */
  #repeated: RepeatedIds | null;
  /** The request without what the treatment withholds. */
  #offerable: BidRequest;

  constructor(request: BidRequest, treatment: PrivacyTreatment) {
    this.#request = request;
    this.#treatment = treatment;
    const isAllowed = allowsIds(treatment);
    this.#offerable = isAllowed ? request : withhold(shallowCopy(request), treatment);
    this.#repeated = isAllowed ? null : new RepeatedIds(request);
  }

  /** The body for bidders of a dialect. `terms`: without a treatment, which is the writer's. */
  write(dialect: Dialect, terms: Omit<ExchangePolicy, 'treatment'>): string {
    const treatment = this.#treatment;
    const policy: ExchangePolicy = allowsIds(treatment) ? { ...terms, treatment } : { ...terms, buyerUid: undefined };
    const text = writeBidRequest(this.#offerable, dialect, policy);
    if (this.#repeated === null || !this.#repeated.mayStandIn(text)) return text;
    this.#repeated = null;
    this.#offerable = redactForBidders(this.#request, this.#treatment);
    return writeBidRequest(this.#offerable, dialect, policy);
  }
}
