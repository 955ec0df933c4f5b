import { LRUCache } from 'lru-cache';
import { type GppReading, readGpp, TCF_EU_SECTION } from './gpp.ts';
import type { PrivacySignals } from './privacy-signals.ts';
import { readTcString, type VendorConsent } from './tc-string.ts';
import { type PrivacyReason, type PrivacyTreatment, treatmentFor } from './treatment.ts';
import { optsOutOfSale } from './us-privacy.ts';

export interface ConsentPolicy {
  /** The exchange's id in the IAB's Global Vendor List; null: nobody can have consented to it. */
  readonly vendorId: number | null;
  /** Whether what leaves under GDPR without consent for the exchange is truncated. */
  readonly truncateWithoutConsent: boolean;
}

/** What the signals of one request come to. */
export interface PrivacyDecision {
  /** Empty where nothing is withheld. */
  readonly reasons: readonly PrivacyReason[];
  readonly treatment: PrivacyTreatment;
}

const NO_REASON: PrivacyDecision = { reasons: [], treatment: 'open' };
/** A viewer's pages send the same string over and over. */
const READINGS_KEPT = 10_000;
/** Characters of them all: who sends none but long ones is not to fill the memory. */
const CHARACTERS_KEPT = 4_000_000;
/** Longer is no TC string; it would only fill the cache. */
const MAX_TC_STRING_LENGTH = 16_384;

/** Judges what may leave. Never throws: malformed consent is none. Keeps what it read of GPP strings, the dearest to read. */
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
    const gpp = this.#readGpp(signals);
    if (this.#terms.truncateWithoutConsent && underGdpr(signals)) {
      const consent = this.#consent(signals, gpp, this.#terms.vendorId);
      if (!consent?.given) reasons.push('gdpr');
      else if (!consent.preciseGeo) reasons.push('gdpr-precise-geo');
    }
    if (signals.usPrivacy !== undefined && optsOutOfSale(signals.usPrivacy)) reasons.push('us-privacy');
    if (gpp?.optOuts.some((section) => inForce(signals, section))) reasons.push('gpp');
    if (signals.globalPrivacyControl) reasons.push('gpc');
    if (signals.coppa === 1) reasons.push('coppa');
    if (signals.limitsTracking) reasons.push('limited-tracking');
    if (signals.optedOut) reasons.push('opt-out');
    return reasons.length === 0 ? NO_REASON : { reasons, treatment: treatmentFor(reasons) };
  }

  /** Whether the exchange may read and store on the viewer's device: GDPR asks for consent, whatever is truncated elsewhere. */
  allowsExchange(signals: PrivacySignals): boolean {
    if (!underGdpr(signals)) return true;
    return this.#consent(signals, this.#readGpp(signals), this.#terms.vendorId)?.given === true;
  }

  /** Whether GDPR leaves this vendor the viewer's ids. A vendor whose id is not known is not judged. */
  allowsVendor(signals: PrivacySignals, vendorId: number | null): boolean {
    if (vendorId === null || !underGdpr(signals)) return true;
    return this.#consent(signals, this.#readGpp(signals), vendorId)?.given === true;
  }

  #consent(signals: PrivacySignals, gpp: GppReading | null, vendorId: number | null): VendorConsent | null {
    const tcString = signals.consent || gpp?.tcString;
    if (vendorId === null || !tcString || tcString.length > MAX_TC_STRING_LENGTH) return null;
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

/** What was said decides; where nothing was, GPP's section in force, or a TC string, which nobody makes where none is needed. */
function underGdpr(signals: PrivacySignals): boolean {
  if (signals.gdpr !== undefined) return signals.gdpr === 1;
  return signals.gppSid?.includes(TCF_EU_SECTION) === true || Boolean(signals.consent);
}

/** Without `gpp_sid` nobody has said which sections are in force, so any may be. */
function inForce({ gppSid }: PrivacySignals, section: number): boolean {
  return gppSid === undefined || gppSid.includes(section);
}
