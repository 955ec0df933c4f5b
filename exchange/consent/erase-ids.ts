import { BID_REQUEST, type BidRequest } from '../openrtb/bid-request.ts';
import { type Ext, namesOf, type ViewerData } from '../openrtb/fields/field.ts';
import type { User } from '../openrtb/fields/user.ts';
import type { Mutable } from '../openrtb/shallow-copy.ts';
import { IdSearch } from './id-search.ts';
import { truncateAddress } from './truncate-address.ts';

/**
 * The shortest value that is erased: shorter values are words and numbers that also mean other things in a document.
 */
const MIN_ID_LENGTH = 8;
/**
 * The most ids that are erased; no request has more. Erasing serves against accidental repetition in pages, not against
 * senders who hide an id on purpose.
 */
const MAX_IDS = 100;

/**
 * Removes the ids of `request` from all other places in `offered`, a copy whose own fields for them are already empty:
 * page URLs and extensions repeat ids. One pass over all texts and names handles all ids together. Returns `offered`
 * itself where it holds none of them, else a copy.
 *
 * The ids that bids refer to stay: those of the request and of its imps.
 */
export function eraseIds(request: BidRequest, offered: BidRequest): BidRequest {
  const values = idValues(request);
  if (values.length === 0) return offered;
  const search = new IdSearch(values);
  if (!holdsAny(offered, search)) return offered;
  const left = erased(offered, search) as Mutable<BidRequest>;
  left.id = offered.id;
  left.imp = left.imp.map((imp, index) => ({ ...imp, id: offered.imp[index]!.id }));
  return left;
}

/** Printable ASCII that JSON writes as it is. */
const VERBATIM = /^[ !#-[\]-~]*$/;

/** The ids of a request that may be repeated outside their fields. */
export class RepeatedIds {
  /** Null where the request has no ids. */
  readonly #search: IdSearch | null;
  /** Whether JSON text contains an id wherever a text in it does. */
  readonly #areVerbatim: boolean;

  constructor(request: BidRequest) {
    const values = idValues(request);
    this.#search = values.length === 0 ? null : new IdSearch(values);
    this.#areVerbatim = values.every((value) => VERBATIM.test(value));
  }

  /** False: no text in this JSON holds an id. */
  mayStandIn(json: string): boolean {
    return this.#search !== null && (!this.#areVerbatim || this.#search.finds(json));
  }
}

type Place = readonly [object: string, names: readonly string[]];

const ID_PLACES = placesOf('id');
const ADDRESS_PLACES = placesOf('address');

/** The paths of the request's fields that hold this kind of viewer data. */
function placesOf(wanted: ViewerData): Place[] {
  return Object.entries(BID_REQUEST.fields).flatMap(([name, { table, list }]): Place[] => {
    const names = table === null || list !== null ? [] : namesOf(table, ({ viewer }) => viewer === wanted);
    return names.length === 0 ? [] : [[name, names]];
  });
}

function valuesAt(places: readonly Place[], request: BidRequest): unknown[] {
  const values: unknown[] = [];
  for (const [object, names] of places) {
    const holder = (request as Ext)[object] as Ext | undefined;
    if (holder !== undefined) for (const name of names) values.push(holder[name]);
  }
  return values;
}

/** All ids in their standard places in both dialects, and the address, where it is longer than its truncated form. */
export function idValues(request: BidRequest): string[] {
  const values = valuesAt(ID_PLACES, request);
  const { user } = request;
  for (const eids of [user?.eids, user?.ext?.eids as User['eids']]) {
    for (const eid of eids ?? []) for (const uid of eid.uids ?? []) values.push(uid.id);
  }
  const ids = new Set<string>();
  let counted = 0;
  for (const value of values) {
    if (typeof value !== 'string' || value.length < MIN_ID_LENGTH) continue;
    addId(value, ids);
    if (++counted === MAX_IDS) break;
  }
  for (const address of valuesAt(ADDRESS_PLACES, request) as (string | undefined)[])
    if (address && truncateAddress(address) !== address) addId(address, ids);
  return [...ids];
}

function addId(id: string, ids: Set<string>): void {
  ids.add(id);
  if (!UNRESERVED.test(id)) ids.add(encoded(id));
}

/** Text that a URL's query holds unencoded (RFC 3986 §2.3); nearly every id is. */
const UNRESERVED = /^[\w.~-]+$/;

/** The text as it stands in the query of a URL. Half a surrogate pair, which JSON can carry, has no encoding. */
function encoded(id: string): string {
  return encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Whether a value holds an id; it recurses as deep as documents nest (`MAX_DEPTH`). */
function holdsAny(value: unknown, search: IdSearch): boolean {
  if (typeof value === 'string') return search.finds(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((element) => holdsAny(element, search));
  for (const name in value) {
    if (search.finds(name) || holdsAny((value as Ext)[name], search)) return true;
  }
  return false;
}

function erased(value: unknown, search: IdSearch): unknown {
  if (typeof value === 'string') return search.without(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => erased(element, search));
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    // An assignment to this name would set the prototype.
    if (name !== '__proto__') copy[search.without(name)] = erased(field, search);
  }
  return copy;
}
