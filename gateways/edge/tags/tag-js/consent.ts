/** Longest wait, ms, for a consent platform; after it, the ad is requested without its signals. */
const PATIENCE_MS = 1_000;

interface TcData {
  readonly gdprApplies?: boolean;
  readonly tcString?: string;
  readonly eventStatus?: string;
  readonly listenerId?: number;
}

interface GppPing {
  readonly gppString?: string;
  readonly applicableSections?: readonly number[];
  readonly signalStatus?: string;
}

declare global {
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

/** The viewer's choices as parameters of an ad request, from those of the IAB's interfaces that the page has. */
export async function consentOnPage(): Promise<Record<string, string>> {
  const signals = await Promise.all([tcf(), gpp(), usPrivacy()]);
  return Object.assign({}, ...signals);
}

type Signals = Record<string, string>;
type Tell = (signals: Signals, final: boolean) => void;

/**
 * IAB TCF 2: the string counts when it is loaded or the viewer has chosen, not while the viewer is still being asked.
 */
function tcf(): Promise<Signals> {
  return asked(window.__tcfapi !== undefined, (onSignals) =>
    window.__tcfapi?.('addEventListener', 2, (data, success) => {
      if (!success || data === null) return;
      const { gdprApplies, tcString, eventStatus, listenerId } = data;
      const settled = gdprApplies === false || eventStatus === 'tcloaded' || eventStatus === 'useractioncomplete';
      const signals: Signals = gdprApplies === undefined ? {} : { gdpr: gdprApplies ? '1' : '0' };
      if (settled && tcString) signals.gdpr_consent = tcString;
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
