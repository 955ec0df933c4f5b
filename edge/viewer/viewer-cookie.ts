import { stringifySetCookie } from 'cookie';
import { readCookie } from './read-cookie.ts';

/** What is known of a browser: `<user id>/<partner key>:<day>:<uid>/…`, the oldest match first; or `optout`. */
const COOKIE_NAME = 'viewer';
const OPTED_OUT = 'optout';
/** The opt-out alone, which no match is ever written over: a buyer's answer may still be on its way. */
const OPT_OUT_NAME = 'viewer-optout';
const OPT_OUT_VALUE = '1';

const DAY_MS = 86_400_000;
const DAY_S = 86_400;
/** Lifetime of the cookie, in days since the last sync. */
const KEPT_DAYS = 90;
/** Lifetime of the opt-out, in days. Browsers keep no cookie longer. */
const OPT_OUT_KEPT_DAYS = 400;
/** Lifetime of a match, in days: buyers let ids expire, too. A new one is asked for afterwards. */
const MATCH_KEPT_DAYS = 30;

/**
 * Upper bound of the cookie's value, in characters. Browsers keep cookies of 4 KB, name and attributes counted, and
 * drop larger ones whole.
 */
const LONGEST_VALUE = 3_500;
export const LONGEST_UID = 256;

const USER_ID = /^[\w-]{22}$/;
const MATCH = /^([\w-]{8}):([0-9a-z]{1,6}):([^:/]+)$/;
/** Visible ASCII. A macro that was not filled in is not an id. */
const UID = /^(?!\$?[{[])[\x21-\x7e]+$/;

/** One buyer's id of the viewer. */
export interface UidMatch {
  /** Key of the partner: see sync-partners.ts. */
  readonly partnerKey: string;
  /** Day on which the match was set, in days since the epoch. */
  readonly day: number;
  readonly uid: string;
}

export interface ViewerCookie {
  /** Null where there is no cookie yet. */
  readonly userId: string | null;
  readonly optedOut: boolean;
  /** Matches, oldest first; one for each partner. */
  readonly matches: readonly UidMatch[];
}

const NOTHING: ViewerCookie = { userId: null, optedOut: false, matches: [] };
const OPT_OUT: ViewerCookie = { ...NOTHING, optedOut: true };

/**
 * Reads the cookies from a `Cookie` header; an opt-out comes before all else. Unreadable parts are left out: viewers
 * can write anything.
 */
export function readViewerCookie(header: string | undefined): ViewerCookie {
  if (readCookie(header, OPT_OUT_NAME) !== undefined) return OPT_OUT;
  const value = readCookie(header, COOKIE_NAME);
  if (value === undefined || value.length > LONGEST_VALUE) return NOTHING;
  if (value === OPTED_OUT) return OPT_OUT;
  const [userId = '', ...matches] = value.split('/');
  if (!USER_ID.test(userId)) return NOTHING;
  return { userId, optedOut: false, matches: matches.flatMap(readMatch) };
}

function readMatch(text: string): UidMatch[] {
  const [, partnerKey, day, encoded] = MATCH.exec(text) ?? [];
  if (partnerKey === undefined) return [];
  try {
    const uid = decodeURIComponent(encoded!);
    return isUid(uid) ? [{ partnerKey, day: Number.parseInt(day!, 36), uid }] : [];
  } catch {
    return [];
  }
}

export function isUid(text: string): boolean {
  return text.length <= LONGEST_UID && UID.test(text);
}

/** The matches that have not expired. */
export function unexpiredMatches({ matches }: ViewerCookie, nowMs: number): readonly UidMatch[] {
  const since = dayOf(nowMs) - MATCH_KEPT_DAYS;
  return matches.filter(({ day }) => day > since);
}

/** The cookie with this partner's match in place of any older one; an empty uid removes the match. */
export function withMatch(cookie: ViewerCookie, partnerKey: string, uid: string, nowMs: number): ViewerCookie {
  const others = unexpiredMatches(cookie, nowMs).filter((match) => match.partnerKey !== partnerKey);
  const matches = uid === '' ? others : [...others, { partnerKey, day: dayOf(nowMs), uid }];
  return { ...cookie, matches };
}

/**
 * A `Set-Cookie` header, with as many of the newest matches as fit. `secure`: the cookie is sent in frames of other
 * sites too, which browsers allow over https only. Without it, for trials, the cookie works on the edge's own pages.
 */
export function writeViewerCookie(cookie: ViewerCookie, secure: boolean): string {
  const value = cookie.optedOut ? OPTED_OUT : writeMatches(cookie);
  return writeCookie(COOKIE_NAME, value, cookie.optedOut ? OPT_OUT_KEPT_DAYS : KEPT_DAYS, secure);
}

/** The `Set-Cookie` headers of an opt-out: the one that lasts, and one that forgets the matches. */
export function writeOptOut(secure: boolean): string[] {
  return [writeCookie(OPT_OUT_NAME, OPT_OUT_VALUE, OPT_OUT_KEPT_DAYS, secure), writeViewerCookie(OPT_OUT, secure)];
}

function writeCookie(name: string, value: string, keptDays: number, secure: boolean): string {
  return stringifySetCookie(
    {
      name,
      value,
      path: '/',
      maxAge: keptDays * DAY_S,
      httpOnly: true,
      ...(secure ? { secure: true, sameSite: 'none' as const } : { sameSite: 'lax' as const }),
    },
    { encode: (text) => text },
  );
}

function writeMatches({ userId, matches }: ViewerCookie): string {
  let value = '';
  for (const { partnerKey, day, uid } of [...matches].reverse()) {
    const match = `/${partnerKey}:${day.toString(36)}:${encodeURIComponent(uid)}`;
    if (userId!.length + value.length + match.length > LONGEST_VALUE) break;
    value = match + value;
  }
  return userId + value;
}

function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}
