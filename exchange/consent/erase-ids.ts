import type { BidRequest, Ext, User } from '../openrtb/bid-request.ts';
import type { Mutable } from '../openrtb/shallow-copy.ts';
import { truncateAddress } from './truncate-address.ts';
import { DEVICE_ID_FIELDS, USER_ID_FIELDS } from './withhold.ts';

/** Shorter values are words and numbers that stand in a document for other things as well. */
const SHORTEST_ID = 8;
/** Nobody has more; and it is for what pages repeat by mischance, not for those who mean to hide an id. */
const MOST_IDS = 100;
/** Of a longer one its beginning is looked for, and what follows it goes too: the time taken hangs on the text alone. */
const LONGEST_SOUGHT = 64;
const REST_OF_ID = '[^\\s"&?#,]*';

/**
 * Takes the ids of `request` out of everywhere else in `offered`, a copy whose own fields for them are gone already: page
 * URLs and extensions repeat them. `text` is `offered` as JSON; it is returned as it is where it holds none of them.
 *
 * What bids refer to stays: the ids of the request and of its imps.
 */
export function eraseIds(request: BidRequest, offered: BidRequest, text: string): string {
  const values = idValues(request);
  if (values.length === 0 || isFreeOf(text, values)) return text;
  const written = new RegExp(
    [...new Set([...values.map((id) => sought(id)), ...values.map((id) => sought(id, asJson))])].join('|'),
    'i',
  );
  if (!written.test(text)) return text;
  const pattern = new RegExp([...new Set(values.map((id) => sought(id)))].join('|'), 'gi');
  const left = erased(offered, pattern) as Mutable<BidRequest>;
  left.id = offered.id;
  left.imp = left.imp.map((imp, index) => ({ ...imp, id: offered.imp[index]!.id }));
  return JSON.stringify(left);
}

/** Printable ASCII that JSON writes as it is. */
const PLAIN = /^[ !#-[\]-~]+$/;
/** Longer texts, and more ids, are left to the pattern, whose time hangs on the text alone. */
const LONGEST_SEARCHED = 16_384;
const MOST_SEARCHED = 16;

/**
 * Whether it is certain that `text` holds none of the ids, in capitals or not: found out by plain searches, as nearly all texts
 * hold none, and a pattern takes ten times as long to be compiled.
 */
function isFreeOf(text: string, values: readonly string[]): boolean {
  if (text.length > LONGEST_SEARCHED || values.length > MOST_SEARCHED) return false;
  const searched = text.toLowerCase();
  return values.every((id) => PLAIN.test(id) && !searched.includes(id.slice(0, LONGEST_SOUGHT).toLowerCase()));
}

/** Every id in its standard places, both dialects'; the address too, where it is not as short as it is passed on. */
export function idValues({ device, user }: BidRequest): string[] {
  const values: unknown[] = [];
  for (const field of DEVICE_ID_FIELDS) values.push((device as Ext | undefined)?.[field]);
  for (const field of USER_ID_FIELDS) values.push((user as Ext | undefined)?.[field]);
  for (const eids of [user?.eids, user?.ext?.eids as User['eids']]) {
    for (const eid of eids ?? []) for (const uid of eid.uids ?? []) values.push(uid.id);
  }
  const ids = values
    .filter((value): value is string => typeof value === 'string' && value.length >= SHORTEST_ID)
    .slice(0, MOST_IDS);
  for (const address of [device?.ip, device?.ipv6])
    if (address && truncateAddress(address) !== address) ids.push(address);
  return [...new Set(ids.flatMap((id) => (UNRESERVED.test(id) ? id : [id, encoded(id)])))];
}

/** What a URL's query holds as it is (RFC 3986 §2.3): nearly every id. */
const UNRESERVED = /^[\w.~-]+$/;

/** As it stands in the query of a URL. Half a surrogate pair, which JSON can carry, has no encoding. */
function encoded(id: string): string {
  return encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'));
}

function erased(value: unknown, pattern: RegExp): unknown {
  if (typeof value === 'string') return value.replace(pattern, '');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => erased(element, pattern));
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    // Assigning to this name would set the prototype.
    if (name !== '__proto__') copy[name.replace(pattern, '')] = erased(field, pattern);
  }
  return copy;
}

function sought(id: string, write: (text: string) => string = (text) => text): string {
  const beginning = escaped(write(id.slice(0, LONGEST_SOUGHT)));
  return id.length > LONGEST_SOUGHT ? beginning + REST_OF_ID : beginning;
}

function asJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
