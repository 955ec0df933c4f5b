import type { PrivacySignals } from '#exchange/consent/privacy-signals';

/** `${NAME}` in a DSP's `user_sync_url`, or the same percent-encoded. */
const MACRO = /(?:\$|%24)(?:\{|%7[Bb])([A-Z_]+)(?:\}|%7[Dd])/g;

const NAMES: ReadonlySet<string> = new Set([
  'USER_ID',
  'GDPR',
  'GDPR_CONSENT',
  'US_PRIVACY',
  'GPP',
  'GPP_SID',
  'REDIRECT_URL',
]);

/** The parts of a DSP's `user_sync_url` that look like macros and are none: they would be sent unchanged. */
export function unknownSyncMacros(template: string): string[] {
  return [...template.matchAll(MACRO)].flatMap(([whole, name]) => (NAMES.has(name ?? '') ? [] : [whole]));
}

/** What the buyer puts in the place of this is its own id of the viewer. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the macro as buyers look for it
const BUYER_UID_MACRO = '${UID}';

export interface SyncCall {
  /** The exchange's id of the viewer. */
  readonly userId: string;
  readonly signals: PrivacySignals;
  /** URL of the exchange's `/sync/set`, up to the buyer's id, which must be its last parameter. */
  readonly setterUrl: string;
}

/**
 * A DSP's sync URL, ready to be called, in the form that browsers read and write: it contains nothing that a header
 * cannot hold. Values are encoded as URL components; unknown ones are empty.
 */
export function syncUrl(template: string, { userId, signals, setterUrl }: SyncCall): string {
  const values: Readonly<Record<string, string>> = {
    USER_ID: userId,
    ...consentParameters(signals, {
      gdpr: 'GDPR',
      consent: 'GDPR_CONSENT',
      usPrivacy: 'US_PRIVACY',
      gpp: 'GPP',
      gppSid: 'GPP_SID',
    }),
    REDIRECT_URL: `${setterUrl}&uid=${BUYER_UID_MACRO}`,
  };
  const filled = template.replace(MACRO, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? whole : encodeURIComponent(value);
  });
  return new URL(filled).href;
}

/** The signals as parameters of the exchange's own URLs, where they were given. */
export function consentQuery(signals: PrivacySignals): URLSearchParams {
  const parameters = consentParameters(signals, {
    gdpr: 'gdpr',
    consent: 'gdpr_consent',
    usPrivacy: 'us_privacy',
    gpp: 'gpp',
    gppSid: 'gpp_sid',
  });
  return new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
}

type ConsentField = 'gdpr' | 'consent' | 'usPrivacy' | 'gpp' | 'gppSid';

function consentParameters(
  signals: PrivacySignals,
  names: Readonly<Record<ConsentField, string>>,
): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [field, name] of Object.entries(names)) {
    // Numbers of a list are separated by commas.
    parameters[name] = String(signals[field as ConsentField] ?? '');
  }
  return parameters;
}
