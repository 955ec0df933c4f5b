import type { PublisherProjection } from '#actors/publisher/fields';
import type { PrivacySignals } from '#exchange/consent/privacy-signals';
import { isObject, type JsonObject } from '#exchange/openrtb/shape';
import type { Replica } from '#runtime/actor/replica';
import { ApiError } from '../../errors.ts';
import type { SyncEndpoint } from '../sync/sync-endpoint.ts';
import { consentQuery } from '../sync/sync-macros.ts';
import { withoutUndefined } from '../tags/defined.ts';
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

/** The most bidders that a page may name: `debug` tells of each. */
const MAX_BIDDERS = 1_000;

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

/**
 * Reads a signal however pages write it: as a number, a text or a boolean. Throws INVALID_PARAMS, with its name, for
 * one that cannot be read: taken as not given, it would free what it may forbid. Throws VALIDATION_ERROR for too many
 * bidders.
 */
export function readCookieSync(body: JsonObject): CookieSync {
  const { bidders, account, gdpr, gdpr_consent: consent, us_privacy: usPrivacy, gpp, gpp_sid: sid, limit } = body;
  if (Array.isArray(bidders) && bidders.length > MAX_BIDDERS)
    throw new ApiError('VALIDATION_ERROR', `bidders must hold at most ${MAX_BIDDERS} elements.`, 'bidders');
  return {
    bidders: Array.isArray(bidders) ? bidders.filter((each) => typeof each === 'string') : null,
    account: typeof account === 'string' ? account : '',
    signals: withoutUndefined({
      gdpr: readFlag(gdpr, 'gdpr'),
      consent: readText(consent, 'gdpr_consent'),
      usPrivacy: readText(usPrivacy, 'us_privacy'),
      gpp: readText(gpp, 'gpp'),
      gppSid: readSections(sid),
    }),
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

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function readFlag(value: unknown, name: string): 0 | 1 | undefined {
  if (isAbsent(value)) return undefined;
  if (value === 1 || value === '1' || value === true) return 1;
  if (value === 0 || value === '0' || value === false) return 0;
  throw new ApiError('INVALID_PARAMS', `${name} must be 0 or 1.`, name);
}

function readText(value: unknown, name: string): string | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'string') return value;
  throw new ApiError('INVALID_PARAMS', `${name} must be a text.`, name);
}

/** Section ids: an array, a text with commas between them, or one number. */
function readSections(value: unknown): readonly number[] | undefined {
  if (isAbsent(value)) return undefined;
  const stated: readonly unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
  const sections = stated.map((each) => (typeof each === 'string' && each.trim() !== '' ? Number(each) : each));
  if (sections.every(isInteger)) return sections;
  throw new ApiError('INVALID_PARAMS', 'gpp_sid must be whole numbers.', 'gpp_sid');
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}
