import type { BidRequest } from '../openrtb/bid-request.ts';
import { readSignals, type Signals } from '../openrtb/signals.ts';

/** All that a request and its sender say of what may be known of the viewer. Absent: nothing was said. */
export interface PrivacySignals extends Pick<Signals, 'coppa' | 'gdpr' | 'consent' | 'usPrivacy' | 'gpp' | 'gppSid'> {
  /** `device.lmt` or the older `device.dnt`. */
  readonly limitsTracking?: boolean;
  /** Global Privacy Control: `Sec-GPC` of a browser, `regs.ext.gpc` of a caller. */
  readonly globalPrivacyControl?: boolean;
  /** Opted out of the exchange itself, at `/sync/optout`. */
  readonly optedOut?: boolean;
}

/** What only the viewer's own browser says. */
export type BrowserSignals = Pick<PrivacySignals, 'globalPrivacyControl' | 'optedOut'>;

export function privacySignals(request: BidRequest, browser: BrowserSignals = {}): PrivacySignals {
  const { device, regs } = request;
  const gpc = regs?.ext?.gpc;
  const { coppa, gdpr, consent, usPrivacy, gpp, gppSid } = readSignals(request);
  // Field by field: extending what a spread leaves behind takes many times as long, and every request comes by here.
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
