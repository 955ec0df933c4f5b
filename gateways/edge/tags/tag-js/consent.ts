/** Longest wait, ms, for a consent platform; after it, the ad is requested without its signals. */
const PATIENCE_MS = 1_000;

interface TcData {
  readonly gdprApplies?: boolean;
  readonly tcString?: string;
  readonly eventStatus?: string;
  readonly listenerId?: number;
  readonly purpose?: { readonly consents?: Readonly<Record<string, boolean>> };
}

interface GppPing {
  readonly gppString?: string;
  readonly applicableSections?: readonly number[];
  readonly signalStatus?: string;
}

declare global {
  interface Navigator {
    /** Global Privacy Control. */
    readonly globalPrivacyControl?: boolean;
  }
  interface Window {
    __tcfapi?(
      command: string,
      version: 2,
      told: (data: TcData | null, success: boolean) => void,
      parameter?: unknown,
    ): void;
    __gpp?(command: string, told: (data: { readonly pingData?: GppPing } | null, success: boolean) => void): void;
    __uspapi?(
      command: string,
      version: 1,
      told: (data: { readonly uspString?: string } | null, success: boolean) => void,
    ): void;
  }
}

/** TCF purpose 1: to store information on a device, and to read it there. */
const STORAGE = '1';

type Signals = Record<string, string>;

/** The viewer's choices on a page. */
export interface Consent {
  /** Parameters of an ad request, from those of the IAB's interfaces that the page has. */
  readonly signals: Signals;
  /** Whether anything may be kept in the viewer's browser, even what says nothing of the viewer. */
  readonly mayStore: boolean;
}

/** `stated`: parameters that the page states itself, which count where an interface says nothing. */
export async function consentOnPage(stated: Signals): Promise<Consent> {
  let hasStorageConsent = false;
  const found = await Promise.all([
    tcf((allowed) => {
      hasStorageConsent = allowed;
    }),
    gpp(),
    usPrivacy(),
  ]);
  const signals: Signals = Object.assign({}, ...found);
  const all = { ...stated, ...signals };
  // Where the page has a consent platform, nothing is kept before it says that the law does not apply.
  const isUnderGdpr = all.gdpr === undefined ? window.__tcfapi !== undefined : all.gdpr !== '0';
  const isRestricted =
    [all.coppa, all.lmt, all.dnt].includes('1') ||
    all.gpp_sid !== undefined ||
    all.us_privacy?.[2] === 'Y' ||
    navigator.globalPrivacyControl === true;
  return { signals, mayStore: !isRestricted && (!isUnderGdpr || hasStorageConsent) };
}

type Tell = (signals: Signals, final: boolean) => void;

/**
 * IAB TCF 2: the string counts when it is loaded or the viewer has chosen, not while the viewer is still being asked.
 */
function tcf(onStorage: (allowed: boolean) => void): Promise<Signals> {
  return asked(window.__tcfapi !== undefined, (onSignals) =>
    window.__tcfapi?.('addEventListener', 2, (data, success) => {
      if (!success || data === null) return;
      const { gdprApplies, tcString, eventStatus, listenerId, purpose } = data;
      const settled = gdprApplies === false || eventStatus === 'tcloaded' || eventStatus === 'useractioncomplete';
      const signals: Signals = gdprApplies === undefined ? {} : { gdpr: gdprApplies ? '1' : '0' };
      if (settled && tcString) signals.gdpr_consent = tcString;
      onStorage(settled && purpose?.consents?.[STORAGE] === true);
      onSignals(signals, settled);
      if (settled) window.__tcfapi?.('removeEventListener', 2, () => undefined, listenerId);
    }),
  );
}

/** IAB GPP 1.1. */
function gpp(): Promise<Signals> {
  return asked(window.__gpp !== undefined, (onSignals) =>
    window.__gpp?.('addEventListener', (data) => {
      const { gppString, applicableSections, signalStatus } = data?.pingData ?? {};
      if (signalStatus !== 'ready' || !gppString) return;
      const sections = (applicableSections ?? []).filter((section) => section > 0);
      onSignals({ gpp: gppString, ...(sections.length > 0 ? { gpp_sid: sections.join() } : {}) }, true);
    }),
  );
}

/** IAB US Privacy 1. */
function usPrivacy(): Promise<Signals> {
  return asked(window.__uspapi !== undefined, (onSignals) =>
    window.__uspapi?.('getUSPData', 1, (data, success) =>
      onSignals(success && data?.uspString ? { us_privacy: data.uspString } : {}, true),
    ),
  );
}

/** The last signals when they are final, or when {@link PATIENCE_MS} is over. */
function asked(present: boolean, subscribe: (onSignals: Tell) => void): Promise<Signals> {
  if (!present) return Promise.resolve({});
  return new Promise((resolve) => {
    let last: Signals = {};
    const timer = setTimeout(() => resolve(last), PATIENCE_MS);
    subscribe((signals, final) => {
      last = signals;
      if (!final) return;
      clearTimeout(timer);
      resolve(last);
    });
  });
}
