import type { PublisherProjection } from '#actors/publisher/fields';
import type { PrivacySignals } from '#exchange/consent/privacy-signals';
import { isObject, type JsonObject } from '#exchange/openrtb/shape';
import type { Replica } from '#runtime/actor/replica';
import type { SyncEndpoint } from '../sync/sync-endpoint.ts';
import { consentQuery } from '../sync/sync-macros.ts';
import { BidderCodes } from './bidder-codes.ts';

/** Prebid Server's `/cookie_sync` body, as far as it decides anything here. */
export interface CookieSync {
  /** Null: every bidder that there is. */
  readonly bidders: readonly string[] | null;
  /** The supply source that the page is of; '' when not given. */
  readonly account: string;
  readonly signals: PrivacySignals;
  /** The most syncs that the page makes; null: no bound. */
  readonly limit: number | null;
  readonly isDebug: boolean;
  readonly filters: JsonObject;
}

/** How the page makes a sync. */
type SyncType = 'iframe' | 'redirect';

interface BidderStatus {
  readonly bidder: string;
  readonly no_cookie: true;
  readonly usersync: { readonly url: string; readonly type: SyncType; readonly supportCORS: false };
}

export interface CookieSyncAnswer {
  readonly status: 'ok' | 'no_cookie';
  readonly bidder_status: readonly BidderStatus[];
  readonly debug?: readonly { readonly bidder: string; readonly error: string }[];
}

/** What is no consent string or list of sections counts as not given; consent is never read out of it. */
export function readCookieSync(body: JsonObject): CookieSync {
  const { bidders, account, gdpr, gdpr_consent: consent, us_privacy: usPrivacy, gpp, gpp_sid: sid, limit } = body;
  const sections = (Array.isArray(sid) ? sid : String(sid ?? '').split(',')).map(Number).filter(Number.isInteger);
  return {
    bidders: Array.isArray(bidders) ? bidders.filter((each) => typeof each === 'string') : null,
    account: typeof account === 'string' ? account : '',
    signals: {
      ...((gdpr === 0 || gdpr === 1) && { gdpr }),
      ...(isText(consent) && { consent }),
      ...(isText(usPrivacy) && { usPrivacy }),
      ...(isText(gpp) && { gpp }),
      ...(isText(sid) || Array.isArray(sid) ? { gppSid: sections } : {}),
    },
    limit: typeof limit === 'number' && limit > 0 ? limit : null,
    isDebug: body.debug === true,
    filters: isObject(body.filterSettings) ? body.filterSettings : {},
  };
}

export interface CookieSyncDeps {
  readonly sync: SyncEndpoint;
  readonly replica: Replica;
  readonly publicEdgeUrl: string;
  readonly ownCode: string;
}

/**
 * Which syncs a page is to make: the exchange's own `/sync`, once, where the supply source has buyers whose ids this
 * browser lacks and the viewer's signals allow it. Bidders of other names are left out, and told to `debug`.
 */
export function answerCookieSync(
  { sync, replica, publicEdgeUrl, ownCode }: CookieSyncDeps,
  asked: CookieSync,
  browser: { readonly cookies: string | undefined; readonly globalPrivacyControl: boolean },
  sandboxAsked: boolean,
): CookieSyncAnswer {
  const codes = new BidderCodes(ownCode);
  const named = asked.bidders ?? [ownCode];
  const debug = named.flatMap((bidder) => (codes.isOurs(bidder) ? [] : [{ bidder, error: 'Unsupported bidder' }]));
  const bidder = named.find((code) => codes.isOurs(code));
  const publisher = replica.get<PublisherProjection>('publisher', asked.account);
  const type = bidder === undefined ? null : syncType(asked.filters, bidder);
  const state = publisher === undefined ? 'done' : sync.stateOf(browser, asked.signals, publisher, sandboxAsked);
  if (bidder !== undefined && (publisher === undefined || publisher.status === 'archived'))
    debug.push({ bidder, error: 'account must be the id of a supply source.' });
  else if (bidder !== undefined && state === 'not-allowed') debug.push({ bidder, error: 'Rejected by privacy' });
  else if (bidder !== undefined && type === null) debug.push({ bidder, error: 'Rejected by request filter' });
  else if (bidder !== undefined && state === 'done') debug.push({ bidder, error: 'Already in sync' });
  const isDue = bidder !== undefined && publisher !== undefined && publisher.status !== 'archived' && state === 'due';
  const query = consentQuery(asked.signals);
  query.set('publisher_id', asked.account);
  if (type !== null) query.set('type', type === 'iframe' ? 'iframe' : 'pixel');
  if (sandboxAsked) query.set('sandbox', 'true');
  const status: BidderStatus[] =
    isDue && type !== null
      ? [{ bidder, no_cookie: true, usersync: { url: `${publicEdgeUrl}/sync?${query}`, type, supportCORS: false } }]
      : [];
  return {
    status: status.length > 0 ? 'no_cookie' : 'ok',
    bidder_status: status,
    ...(asked.isDebug && { debug }),
  };
}

/** A frame where the page lets the bidder have one: it reaches all buyers at once; else a chain of redirects. */
function syncType({ iframe, image }: JsonObject, bidder: string): SyncType | null {
  if (isAllowed(iframe, bidder)) return 'iframe';
  return isAllowed(image, bidder) ? 'redirect' : null;
}

function isAllowed(filter: unknown, bidder: string): boolean {
  if (!isObject(filter)) return true;
  const { bidders, filter: mode } = filter;
  const isNamed = bidders === '*' || (Array.isArray(bidders) && (bidders.includes(bidder) || bidders.includes('*')));
  return mode === 'exclude' ? !isNamed : isNamed;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
