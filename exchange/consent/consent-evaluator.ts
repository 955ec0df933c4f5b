import { LRUCache } from 'lru-cache';
import { type GppReading, readGpp, TCF_EU_SECTION } from './gpp.ts';
import type { PrivacySignals } from './privacy-signals.ts';
import { readTcString, type VendorConsent } from './tc-string.ts';
import { type PrivacyReason, type PrivacyTreatment, treatmentFor } from './treatment.ts';
import { optsOutOfSale } from './us-privacy.ts';

export interface ConsentPolicy {
  /** The exchange's id in the IAB's Global Vendor List; null where it has none, and no one can have consented to it. */
  readonly vendorId: number | null;
  /** Whether personal data are truncated in bid requests under GDPR when there is no consent for the exchange. */
  readonly truncateWithoutConsent: boolean;
}

/** The decision that the privacy signals of one request lead to. */
export interface PrivacyDecision {
  /** The reasons for the treatment; empty where nothing is withheld. */
  readonly reasons: readonly PrivacyReason[];
  readonly treatment: PrivacyTreatment;
}

const NO_REASON: PrivacyDecision = { reasons: [], treatment: 'open' };
/** The number of cached GPP readings: a viewer's pages send the same string again and again. */
const READINGS_KEPT = 10_000;
/** The characters of all cached strings together, so that long strings do not fill the memory. */
const CHARACTERS_KEPT = 4_000_000;
/** The longest TC string that is read; a longer text is none. */
const MAX_TC_STRING_LENGTH = 16_384;

/**
 * Decides what may leave the exchange. It never throws: malformed consent counts as none. Readings of GPP strings are
 * cached, because they are the most expensive to read.
 */
export class ConsentEvaluator {
  readonly #terms: ConsentPolicy;
  readonly #gpp = new LRUCache<string, { readonly reading: GppReading | null }>({
    max: READINGS_KEPT,
    maxSize: CHARACTERS_KEPT,
    sizeCalculation: (_, gpp) => gpp.length,
  });

  constructor(terms: ConsentPolicy) {
    this.#terms = terms;
  }

  evaluate(signals: PrivacySignals): PrivacyDecision {
    const reasons: PrivacyReason[] = [];
    if (this.#terms.truncateWithoutConsent && this.#underGdpr(signals)) {
      const consent = this.#consent(signals, this.#terms.vendorId);
      if (!consent?.given) reasons.push('gdpr');
      else if (!consent.preciseGeo) reasons.push('gdpr-precise-geo');
    }
    if (signals.usPrivacy !== undefined && optsOutOfSale(signals.usPrivacy)) reasons.push('us-privacy');
    if (this.#readGpp(signals)?.optOuts.some((section) => inForce(signals, section))) reasons.push('gpp');
    if (signals.globalPrivacyControl) reasons.push('gpc');
    if (signals.coppa === 1) reasons.push('coppa');
    if (signals.limitsTracking) reasons.push('limited-tracking');
    if (signals.optedOut) reasons.push('opt-out');
    return reasons.length === 0 ? NO_REASON : { reasons, treatment: treatmentFor(reasons) };
  }

  /**
   * Whether the exchange may read and store on the viewer's device. GDPR requires consent for it, whatever bid requests
   * truncate.
   */
  allowsExchange(signals: PrivacySignals): boolean {
    return this.#allows(signals, this.#terms.vendorId);
  }

  /** Whether GDPR lets this vendor have the viewer's ids. A vendor without a known id is allowed. */
  allowsVendor(signals: PrivacySignals, vendorId: number | null): boolean {
    return vendorId === null || this.#allows(signals, vendorId);
  }

  #allows(signals: PrivacySignals, vendorId: number | null): boolean {
    return !this.#underGdpr(signals) || this.#consent(signals, vendorId)?.given === true;
  }

  /**
   * Whether GDPR applies. The `gdpr` signal decides; without it, `gpp_sid` with GPP's section, or a TC string, because
   * no party makes one where none is needed. Where `gpp_sid` says what is in force, a TC string in GPP says nothing.
   */
  #underGdpr(signals: PrivacySignals): boolean {
    if (signals.gdpr !== undefined) return signals.gdpr === 1;
    if (signals.consent) return true;
    return statedSections(signals)?.includes(TCF_EU_SECTION) ?? typeof this.#readGpp(signals)?.tcString === 'string';
  }

  #consent(signals: PrivacySignals, vendorId: number | null): VendorConsent | null {
    if (vendorId === null) return null;
    const tcString = signals.consent || this.#readGpp(signals)?.tcString;
    if (!tcString || tcString.length > MAX_TC_STRING_LENGTH) return null;
    return readTcString(tcString, vendorId);
  }

  #readGpp({ gpp }: PrivacySignals): GppReading | null {
    if (!gpp) return null;
    let kept = this.#gpp.get(gpp);
    if (kept === undefined) {
      kept = { reading: readGpp(gpp) };
      if (kept.reading !== null) this.#gpp.set(gpp, kept);
    }
    return kept.reading;
  }
}

/** Whether a GPP section is in force. Without `gpp_sid` the sections in force are unknown, so any may be. */
function inForce(signals: PrivacySignals, section: number): boolean {
  return statedSections(signals)?.includes(section) ?? true;
}

/** An empty list is what callers send who do not know the sections; where none is in force, -1 says so. */
function statedSections({ gppSid }: PrivacySignals): readonly number[] | undefined {
  return gppSid?.length === 0 ? undefined : gppSid;
}
