import type { Context } from 'koa';
import type { PublisherProjection } from '#actors/publisher/fields';
import type { SyncPartner } from '#edge/viewer/sync-partners';
import {
  isUid,
  LONGEST_UID,
  readViewerCookie,
  unexpiredMatches,
  type ViewerCookie,
  withMatch,
  writeOptOut,
  writeViewerCookie,
} from '#edge/viewer/viewer-cookie';
import type { Browser, Viewers } from '#edge/viewer/viewers';
import type { PrivacySignals } from '#exchange/consent/privacy-signals';
import { allowsIds } from '#exchange/consent/treatment';
import { ApiError } from '../../errors.ts';
import type { EdgeDeps } from '../deps.ts';
import { browserOf } from '../http/browser-of.ts';
import { asksForSandbox } from '../http/sandbox.ts';
import { TagQuery } from '../tags/query.ts';
import { registeredRedirect } from './registered-redirect.ts';
import { consentQuery, syncUrl } from './sync-macros.ts';
import { answerBlank, answerOptedOut, answerPartnerCalls, answerRedirect, type SyncForm } from './sync-page.ts';

type SyncParts = Pick<EdgeDeps, 'replica' | 'facts' | 'settings' | 'random' | 'clock'>;

/** Upper bound of buyers called at one visit: each is a request that the viewer's browser makes. */
const MOST_CALLS = 8;
const FORMS = ['iframe', 'pixel'] as const;
/** Age of a match, in days, up to which it is not asked for again. */
const FRESH_DAYS = 7;
const DAY_MS = 86_400_000;

/** A chain of redirects from buyer to buyer, at one of its steps. */
interface SyncChain {
  readonly publisher: PublisherProjection;
  readonly sandbox: boolean;
  /** Key of the buyer with which it began: the order is by key, from here round to here. */
  readonly first: string;
  /** Key of the buyer that was called last; null before the first call. */
  readonly after: string | null;
  readonly callsLeft: number;
}

/** One browser's visit, and what the viewer's signals allow. */
interface SyncVisit {
  readonly cookie: ViewerCookie & { readonly userId: string };
  readonly signals: PrivacySignals;
}

/**
 * `/sync`: lets buyers report to the exchange their ids of a browser (specification, Endpoints on {rtb_url}). The
 * viewer's own cookie is the only storage. Without consent nothing is read or set, and the answer is the usual pixel or
 * a blank page.
 */
export class SyncEndpoint {
  readonly #parts: SyncParts;
  readonly #viewers: Viewers;
  readonly #secure: boolean;

  constructor(deps: SyncParts, viewers: Viewers) {
    this.#parts = deps;
    this.#viewers = viewers;
    this.#secure = deps.settings.publicEdgeUrl.startsWith('https:');
  }

  /**
   * `?type=pixel&publisher_id=…`: a redirect to one of the publisher's buyers, which sends the browser back to
   * `/sync/set`, and so on to the others. `?type=iframe&publisher_id=…`: a page that calls the buyers with a frame, and
   * begins that chain for the others: each sets the whole cookie, so calls side by side would undo each other's.
   * `?dsp=…&uid=…&redirect=…`: a sync that a buyer begins itself.
   */
  answer(ctx: Context): void {
    const query = new TagQuery(ctx.search);
    if (query.text('dsp') !== undefined) {
      this.#answerBuyer(ctx, query);
      return;
    }
    const form = query.oneOf('type', FORMS) ?? 'iframe';
    const sandboxAsked = asksForSandbox(ctx);
    const publisher = this.#publisher(query);
    const visit = this.#visit(ctx, query);
    if (visit === null) {
      answerBlank(ctx, form);
      return;
    }
    this.#setCookie(ctx, visit.cookie);
    const sandbox = sandboxAsked || publisher.status === 'sandbox';
    const due = this.#toCall(visit, publisher, sandbox);
    const begin = { publisher, sandbox, first: this.#firstOf(due), after: null };
    if (form === 'pixel') {
      this.#answerNext(ctx, visit, due, { ...begin, callsLeft: MOST_CALLS });
      return;
    }
    const frames = due.filter(({ type }) => type === 'iframe').slice(0, MOST_CALLS);
    const chainUrl = this.#nextUrl(visit, due, { ...begin, callsLeft: MOST_CALLS - frames.length });
    answerPartnerCalls(ctx, [
      ...frames.map((partner) => ({ type: partner.type, url: this.#callUrl(partner, visit) })),
      ...(chainUrl === null ? [] : [{ type: 'redirect' as const, url: chainUrl }]),
    ]);
  }

  /**
   * `/sync/set?dsp=…&uid=…`: buyers send a browser here with their id of it. An empty uid removes the match. `stated`:
   * the buyer and the form of the answer, for a call whose parameters have other names.
   */
  set(ctx: Context, stated?: { readonly dspId: string; readonly form: SyncForm }): void {
    const query = new TagQuery(ctx.search);
    const partner = this.#partner(stated?.dspId ?? query.required('dsp'));
    const uid = readUid(query);
    const form = stated?.form ?? query.oneOf('type', FORMS) ?? 'pixel';
    const chained = query.text('publisher_id') === undefined ? null : this.#publisher(query);
    const callsLeft = query.integer('calls_left', 0, MOST_CALLS) ?? 0;
    const first = query.text('first') ?? '';
    const sandbox = asksForSandbox(ctx);
    const visit = this.#visit(ctx, query, partner);
    if (visit === null) {
      answerBlank(ctx, form);
      return;
    }
    const known = this.#match(ctx, visit, partner, uid);
    if (chained === null) {
      answerBlank(ctx, form);
      return;
    }
    const due = this.#toCall(known, chained, sandbox);
    this.#answerNext(ctx, known, due, { publisher: chained, sandbox, first, after: partner.key, callsLeft });
  }

  /** `/sync/optout`: forgets everything about the browser, and remembers that it must not be recognized again. */
  optOut(ctx: Context): void {
    ctx.set('Set-Cookie', writeOptOut(this.#secure));
    answerOptedOut(ctx);
  }

  /**
   * Whether a page of the publisher has reason to call `/sync`: `due` while buyers' ids are missing, `done` when none
   * are, `not-allowed` where the viewer's signals forbid it. Nothing is set.
   */
  stateOf(
    browser: Browser,
    signals: PrivacySignals,
    publisher: PublisherProjection,
    sandboxAsked: boolean,
  ): 'due' | 'done' | 'not-allowed' {
    const visit = this.#allowedVisit(browser, signals);
    if (visit === null) return 'not-allowed';
    const sandbox = sandboxAsked || publisher.status === 'sandbox';
    return this.#toCall(visit, publisher, sandbox).length > 0 ? 'due' : 'done';
  }

  #answerBuyer(ctx: Context, query: TagQuery): void {
    const partner = this.#partner(query.required('dsp'));
    const uid = query.raw('uid') === undefined ? undefined : readUid(query);
    const stated = query.signal('redirect');
    const redirect = stated === undefined ? null : registeredRedirect(stated, partner, !this.#secure);
    if (stated !== undefined && redirect === null) {
      throw new ApiError(
        'INVALID_PARAMS',
        'redirect must be a URL on a host that the demand source has registered.',
        'redirect',
      );
    }
    const form = query.oneOf('type', FORMS) ?? 'pixel';
    const visit = this.#visit(ctx, query, partner);
    if (visit === null) {
      answerBlank(ctx, form);
      return;
    }
    if (uid === undefined) this.#setCookie(ctx, visit.cookie);
    else this.#match(ctx, visit, partner, uid);
    if (redirect === null) answerBlank(ctx, form);
    else answerRedirect(ctx, syncUrl(redirect, { userId: visit.cookie.userId, signals: visit.signals, setterUrl: '' }));
  }

  /** Redirects to the next buyer of the chain, or ends it. */
  #answerNext(ctx: Context, visit: SyncVisit, due: readonly SyncPartner[], at: SyncChain): void {
    const url = this.#nextUrl(visit, due, at);
    if (url === null) answerBlank(ctx, 'pixel');
    else answerRedirect(ctx, url);
  }

  /** Null at the end of the chain. Each buyer comes after the last one in the chain's order, so that it ends. */
  #nextUrl(
    visit: SyncVisit,
    due: readonly SyncPartner[],
    { publisher, sandbox, first, after, callsLeft }: SyncChain,
  ): string | null {
    const chained = due.filter(({ type }) => type === 'redirect');
    const inOrder = [...chained.filter(({ key }) => key >= first), ...chained.filter(({ key }) => key < first)];
    const next = inOrder.find(({ key }) => after === null || comesAfter(key, after, first));
    if (next === undefined || callsLeft === 0) return null;
    return this.#callUrl(next, visit, {
      publisher_id: publisher.id,
      calls_left: String(callsLeft - 1),
      first,
      ...(sandbox && { sandbox: 'true' }),
    });
  }

  /**
   * Where a chain begins: at any of its buyers, so that one which never sends browsers back stops the others at times.
   */
  #firstOf(due: readonly SyncPartner[]): string {
    const chained = due.filter(({ type }) => type === 'redirect');
    return chained[Math.floor(this.#parts.random.next() * chained.length)]?.key ?? '';
  }

  #toCall({ cookie, signals }: SyncVisit, publisher: PublisherProjection, sandbox: boolean): SyncPartner[] {
    if (publisher.poolId === null) return [];
    const nowMs = this.#parts.clock.now();
    const freshSince = Math.floor(nowMs / DAY_MS) - FRESH_DAYS;
    const fresh = new Set(cookie.matches.filter(({ day }) => day > freshSince).map(({ partnerKey }) => partnerKey));
    return this.#viewers.partners
      .partnersToCall(publisher.poolId, sandbox)
      .filter(({ key, tcfVendorId }) => !fresh.has(key) && this.#viewers.judge.allowsVendor(signals, tcfVendorId));
  }

  #callUrl(partner: SyncPartner, { cookie, signals }: SyncVisit, chain: Readonly<Record<string, string>> = {}): string {
    const parameters = new URLSearchParams({ dsp: partner.dspId, ...chain });
    if (partner.type === 'iframe') parameters.set('type', 'iframe');
    for (const [name, value] of consentQuery(signals)) parameters.set(name, value);
    const setterUrl = `${this.#parts.settings.publicEdgeUrl}/sync/set?${parameters}`;
    return syncUrl(partner.url!, { userId: cookie.userId, signals, setterUrl });
  }

  #match(ctx: Context, { cookie, signals }: SyncVisit, partner: SyncPartner, uid: string): SyncVisit {
    const matched = { ...withMatch(cookie, partner.key, uid, this.#parts.clock.now()), userId: cookie.userId };
    this.#setCookie(ctx, matched);
    this.#parts.facts.dsp(partner.dspId, partner.sandbox).userSyncs.add(uid === '' ? 'forgotten' : 'matched');
    return { cookie: matched, signals };
  }

  /** Null where nothing may be read or set: by the viewer's signals, or for this partner. */
  #visit(ctx: Context, query: TagQuery, partner?: SyncPartner): SyncVisit | null {
    const visit = this.#allowedVisit(browserOf(ctx), readConsent(query), partner);
    if (visit === null && partner) this.#parts.facts.dsp(partner.dspId, partner.sandbox).userSyncs.add('not-allowed');
    return visit;
  }

  #allowedVisit(
    { cookies, globalPrivacyControl }: Browser,
    stated: PrivacySignals,
    partner?: SyncPartner,
  ): SyncVisit | null {
    const { judge } = this.#viewers;
    const cookie = readViewerCookie(cookies);
    const signals = { ...stated, globalPrivacyControl, optedOut: cookie.optedOut };
    const allowed =
      allowsIds(judge.evaluate(signals).treatment) &&
      judge.allowsExchange(signals) &&
      judge.allowsVendor(signals, partner?.tcfVendorId ?? null);
    if (!allowed) return null;
    const matches = unexpiredMatches(cookie, this.#parts.clock.now());
    return { cookie: { ...cookie, matches, userId: cookie.userId ?? this.#parts.random.id() }, signals };
  }

  #setCookie(ctx: Context, cookie: ViewerCookie): void {
    ctx.set('Set-Cookie', writeViewerCookie(cookie, this.#secure));
  }

  #partner(dspId: string): SyncPartner {
    this.#requireReplica();
    const partner = this.#viewers.partners.byId(dspId);
    if (partner === undefined) throw new ApiError('INVALID_PARAMS', 'dsp is no demand source of this exchange.', 'dsp');
    return partner;
  }

  #publisher(query: TagQuery): PublisherProjection {
    this.#requireReplica();
    const publisher = this.#parts.replica.get<PublisherProjection>('publisher', query.required('publisher_id'));
    if (publisher === undefined || publisher.status === 'archived') {
      throw new ApiError('FORBIDDEN', 'publisher_id names no publisher that is known here.');
    }
    return publisher;
  }

  #requireReplica(): void {
    if (!this.#parts.replica.ready) {
      throw new ApiError('SERVICE_UNAVAILABLE', 'The edge is still learning the catalogue.');
    }
  }
}

/** In the order by key that begins at `first`. */
function comesAfter(key: string, after: string, first: string): boolean {
  return key < first === after < first ? key > after : key < first;
}

function readUid(query: TagQuery): string {
  const uid = query.raw('uid') ?? '';
  if (uid === '' || isUid(uid)) return uid;
  throw new ApiError(
    'INVALID_PARAMS',
    `uid must be at most ${LONGEST_UID} visible ASCII characters, and no macro.`,
    'uid',
  );
}

/** The privacy signals, under the same names as in queries of tags. */
function readConsent(query: TagQuery): PrivacySignals {
  const coppa = query.flag('coppa');
  const gdpr = query.flag('gdpr');
  const consent = query.signal('gdpr_consent');
  const usPrivacy = query.text('us_privacy');
  const gpp = query.signal('gpp');
  const gppSid = query.integers('gpp_sid', -1);
  return {
    ...(coppa !== undefined && { coppa }),
    ...(gdpr !== undefined && { gdpr }),
    ...(consent !== undefined && { consent }),
    ...(usPrivacy !== undefined && { usPrivacy }),
    ...(gpp !== undefined && { gpp }),
    ...(gppSid !== undefined && { gppSid }),
  };
}
