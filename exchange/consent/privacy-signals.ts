import type { BidRequest } from '../openrtb/bid-request.ts';
import { readSignals, type Signals } from '../openrtb/signals.ts';

/** What a request and its sender say about the use of the viewer's data. An absent field was not stated. */
export interface PrivacySignals extends Pick<Signals, 'coppa' | 'gdpr' | 'consent' | 'usPrivacy' | 'gpp' | 'gppSid'> {
  /** `device.lmt` or the older `device.dnt`. */
  readonly limitsTracking?: boolean;
  /** Global Privacy Control: `Sec-GPC` of a browser, `regs.ext.gpc` of a caller. */
  readonly globalPrivacyControl?: boolean;
  /** Whether the viewer opted out of the exchange itself, at `/sync/optout`. */
  readonly optedOut?: boolean;
}

/** The signals that only the viewer's own browser can give. */
export type BrowserSignals = Pick<PrivacySignals, 'globalPrivacyControl' | 'optedOut'>;

export function privacySignals(request: BidRequest, browser: BrowserSignals = {}): PrivacySignals {
  const { device, regs } = request;
  const gpc = regs?.ext?.gpc;
  const { coppa, gdpr, consent, usPrivacy, gpp, gppSid } = readSignals(request);
  // The object is written field by field: extending the result of a spread takes many times as long, and every request
  // passes here.
  return {
    coppa,
    gdpr,
    consent,
    usPrivacy,
    gpp,
    gppSid,
    limitsTracking: device?.lmt === 1 || device?.dnt === 1,
    globalPrivacyControl: browser.globalPrivacyControl === true || gpc === 1 || gpc === '1',
    optedOut: browser.optedOut === true,
  };
}
