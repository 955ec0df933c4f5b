import {
  ConsentEvaluator,
  type ConsentPolicy,
  type PrivacyDecision,
} from '../../exchange/consent/consent-evaluator.ts';
import { type PrivacySignals, privacySignals } from '../../exchange/consent/privacy-signals.ts';
import { allowsIds } from '../../exchange/consent/treatment.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { DeviceKeys } from './device-key.ts';
import { SyncPartners } from './sync-partners.ts';
import { UNKNOWN_VIEWER, type Viewer } from './viewer.ts';
import { readViewerCookie, unexpiredMatches, type ViewerCookie } from './viewer-cookie.ts';

/** What a browser says of itself beside its request; empty for a server. */
export interface Browser {
  readonly cookies: string | undefined;
  /** Global Privacy Control: `Sec-GPC: 1`. */
  readonly globalPrivacyControl: boolean;
}

export interface ViewerSettings {
  readonly privacy: ConsentPolicy;
  /** Master secret from which the keys of devices are derived. */
  readonly secretKey: string;
}

/** The viewer, and the decision how much of it bidders may know. */
export interface ViewerContext {
  readonly viewer: Viewer;
  readonly privacy: PrivacyDecision;
}

const NO_UIDS: ReadonlyMap<string, string> = new Map();

/** Identifies viewers by their devices and cookies, as far as the privacy signals of their requests permit. */
export class Viewers {
  readonly judge: ConsentEvaluator;
  readonly partners: SyncPartners;
  readonly #deviceKeys: DeviceKeys;
  readonly #clock: Clock;

  constructor({ privacy, secretKey }: ViewerSettings, replica: Replica, clock: Clock) {
    this.judge = new ConsentEvaluator(privacy);
    this.partners = new SyncPartners(replica);
    this.#deviceKeys = new DeviceKeys(secretKey);
    this.#clock = clock;
  }

  /** Cheap where nothing more is asked of the viewer, which is so in nearly all auctions. */
  identify(request: BidRequest, browser?: Browser): ViewerContext {
    const cookie = readViewerCookie(browser?.cookies);
    const signals = privacySignals(request, {
      globalPrivacyControl: browser?.globalPrivacyControl === true,
      optedOut: cookie.optedOut,
    });
    const privacy = this.judge.evaluate(signals);
    if (!allowsIds(privacy.treatment)) return { viewer: UNKNOWN_VIEWER, privacy };
    // The cookie on the device may be read only with consent, even where the request's own data passes without.
    const userId = cookie.userId !== null && this.judge.allowsExchange(signals) ? cookie.userId : null;
    const buyerUids = () => this.#buyerUids(cookie, signals);
    return { viewer: new KnownViewer(request, userId, this.#deviceKeys, buyerUids), privacy };
  }

  close(): void {
    this.partners.close();
  }

  #buyerUids(cookie: ViewerCookie, signals: PrivacySignals): ReadonlyMap<string, string> {
    const uids = new Map<string, string>();
    for (const { partnerKey, uid } of unexpiredMatches(cookie, this.#clock.now())) {
      const partner = this.partners.byKey(partnerKey);
      if (partner && this.judge.allowsVendor(signals, partner.tcfVendorId)) uids.set(partner.dspId, uid);
    }
    return uids;
  }
}

class KnownViewer implements Viewer {
  readonly userId: string | null;
  readonly #request: BidRequest;
  readonly #deviceKeys: DeviceKeys;
  readonly #readBuyerUids: () => ReadonlyMap<string, string>;
  #deviceKey: string | null | undefined;
  #buyerUids: ReadonlyMap<string, string> | undefined;

  constructor(
    request: BidRequest,
    userId: string | null,
    deviceKeys: DeviceKeys,
    readBuyerUids: () => ReadonlyMap<string, string>,
  ) {
    this.userId = userId;
    this.#request = request;
    this.#deviceKeys = deviceKeys;
    this.#readBuyerUids = readBuyerUids;
  }

  get deviceKey(): string | null {
    if (this.#deviceKey === undefined) this.#deviceKey = this.#deviceKeys.keyOf(this.#request.device, this.userId);
    return this.#deviceKey;
  }

  get buyerUids(): ReadonlyMap<string, string> {
    this.#buyerUids ??= this.userId === null ? NO_UIDS : this.#readBuyerUids();
    return this.#buyerUids;
  }
}
