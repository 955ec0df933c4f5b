import { type Answered, type ConsentApi, consentApi } from './consent-api.ts';

/**
 * Longest wait, ms, for a consent platform; after it, the ad is requested without its signals, and as under GDPR where
 * the platform is one for GDPR.
 */
const PATIENCE_MS = 1_000;

interface TcData {
  readonly gdprApplies: boolean;
  readonly tcString: string;
  readonly eventStatus: string;
  readonly purpose: { readonly consents?: Readonly<Record<string, boolean>> };
}

interface GppEvent {
  readonly pingData: {
    readonly gppString?: string;
    readonly applicableSections?: readonly number[];
    readonly signalStatus?: string;
  };
}

interface UspData {
  readonly uspString: string;
}

declare global {
  interface Navigator {
    /** Global Privacy Control. */
    readonly globalPrivacyControl?: boolean;
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

/**
 * `stated`: parameters that the page states itself, which count where an interface says nothing. GDPR applies where the
 * page has a consent platform for it and neither says whether it does.
 */
export async function consentOnPage(stated: Signals): Promise<Consent> {
  const tcfApi = consentApi<TcData>('__tcfapi');
  let hasStorageConsent = false;
  const found = await Promise.all([
    tcf(tcfApi, (allowed) => {
      hasStorageConsent = allowed;
    }),
    gpp(),
    usPrivacy(),
  ]);
  const signals: Signals = Object.assign({}, ...found);
  if (tcfApi !== undefined && !/^[01]$/.test(signals.gdpr ?? stated.gdpr ?? '')) signals.gdpr = '1';
  const all = { ...stated, ...signals };
  const isUnderGdpr = all.gdpr !== undefined && all.gdpr !== '0';
  const isRestricted =
    [all.coppa, all.lmt, all.dnt].includes('1') ||
    /(^|,)[1-9]/.test(all.gpp_sid ?? '') ||
    all.us_privacy?.[2] === 'Y' ||
    navigator.globalPrivacyControl === true;
  return { signals, mayStore: !isRestricted && (!isUnderGdpr || hasStorageConsent) };
}

/**
 * IAB TCF 2: the string counts when it is loaded or the viewer has chosen, not while the viewer is still being asked.
 */
function tcf(api: ConsentApi<TcData> | undefined, onStorage: (allowed: boolean) => void): Promise<Signals> {
  return asked(api, 'addEventListener', (data, success, tell) => {
    if (!success) return;
    const { gdprApplies, tcString, eventStatus, purpose } = data;
    const settled = gdprApplies === false || eventStatus === 'tcloaded' || eventStatus === 'useractioncomplete';
    // A platform that sends JSON has null for what it does not know.
    const signals: Signals = typeof gdprApplies === 'boolean' ? { gdpr: gdprApplies ? '1' : '0' } : {};
    if (settled && tcString) signals.gdpr_consent = tcString;
    onStorage(settled && purpose?.consents?.[STORAGE] === true);
    tell(signals, settled);
  });
}

/** IAB GPP 1.1. */
function gpp(): Promise<Signals> {
  return asked(consentApi<GppEvent>('__gpp'), 'addEventListener', ({ pingData }, _success, tell) => {
    const { gppString, applicableSections, signalStatus } = pingData ?? {};
    if (signalStatus !== 'ready' || !gppString) return;
    // 0: not known yet; -1: none applies.
    const sections = (applicableSections ?? []).filter((section) => section !== 0);
    tell({ gpp: gppString, ...(sections.length > 0 ? { gpp_sid: sections.join() } : {}) }, true);
  });
}

/** IAB US Privacy 1. */
function usPrivacy(): Promise<Signals> {
  return asked(consentApi<UspData>('__uspapi'), 'getUSPData', ({ uspString }, success, tell) =>
    tell(success && uspString ? { us_privacy: uspString } : {}, true),
  );
}

type Tell = (signals: Signals, final: boolean) => void;

/**
 * The last signals when they are final, or when {@link PATIENCE_MS} is over. `read` tells them of each answer. An
 * interface that has not been found has none.
 */
function asked<Data>(
  api: ConsentApi<Data> | undefined,
  command: string,
  read: (data: Answered<Data>, success: boolean, tell: Tell) => void,
): Promise<Signals> {
  if (api === undefined) return Promise.resolve({});
  return new Promise((resolve) => {
    let last: Signals = {};
    let listenerId: number | undefined;
    let stop = (): void => undefined;
    const end = (): void => {
      clearTimeout(timer);
      stop();
      if (listenerId !== undefined) api('removeEventListener', () => undefined, listenerId)();
      resolve(last);
    };
    const timer = setTimeout(end, PATIENCE_MS);
    stop = api(command, (data, success) => {
      listenerId = data?.listenerId;
      read(data ?? ({} as Answered<Data>), success, (signals, final) => {
        last = signals;
        if (final) end();
      });
    });
  });
}
