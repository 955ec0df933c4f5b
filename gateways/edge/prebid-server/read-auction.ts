import { CURRENCY } from '#exchange/currency/currency';
import { MAX_CPM } from '#exchange/money/price';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { deepCopy } from '#exchange/openrtb/deep-copy';
import type { Imp } from '#exchange/openrtb/fields/imp';
import { InvalidFloor } from '#exchange/openrtb/invalid-bid-request';
import type { Mutable } from '#exchange/openrtb/shallow-copy';
import { isObject, type JsonObject } from '#exchange/openrtb/shape';
import { ApiError } from '../../errors.ts';
import { mergePatch } from '../../http/merge-patch.ts';
import { BidderCodes } from './bidder-codes.ts';
import { withBidderData } from './bidder-data.ts';
import { MergedExtent } from './merged-extent.ts';
import type { StoredRequests } from './stored-requests.ts';
import { readTargeting, type TargetingPolicy } from './targeting.ts';

/** An imp of ours: the code that it is asked under, and what its bids carry back. */
export interface AskedImp {
  readonly code: string;
  readonly passthrough: unknown;
  /** USD CPM, by the bidder's parameters; null: none. */
  readonly floorCpm: number | null;
}

/** A message of `ext.errors` or `ext.warnings`. */
export interface BidderMessage {
  readonly code: number;
  readonly message: string;
}

/** A request to Prebid Server, as this exchange auctions it. */
export interface PrebidAuction {
  /** The OpenRTB request, not checked yet: with what was stored, without what is for Prebid Server alone. */
  readonly request: JsonObject;
  /** The request with what was stored, for those who look for faults; where `isDebug`, its floors are as stated. */
  readonly resolved: JsonObject;
  /** The imps that are auctioned, by id. */
  readonly imps: ReadonlyMap<string, AskedImp>;
  /** Bidders that this exchange does not know, with the imps that asked them. */
  readonly unknown: ReadonlyMap<string, readonly string[]>;
  readonly errors: ReadonlyMap<string, readonly BidderMessage[]>;
  readonly targeting: TargetingPolicy | null;
  readonly caches: { readonly bids: boolean; readonly vast: boolean };
  readonly passthrough: unknown;
  readonly isDebug: boolean;
  readonly tellsAllStatuses: boolean;
}

/** Prebid Server's code for what is wrong with a request. */
const BAD_INPUT = 2;

/** The parameters of this exchange as a bidder; integrations/prebid-server has their schema. */
const PARAMETERS = { publisherId: 'publisherId', placement: 'placement', floor: 'bidFloor' } as const;

/**
 * Reads the body of a request to Prebid Server: what was stored is put in, and of each imp the code of this exchange is
 * found; imps that ask other bidders alone are left out. An imp that names no bidder at all asks this exchange. Throws
 * INVALID_PARAMS or VALIDATION_ERROR where nothing is left to auction, a name leads to nothing, or the document, with
 * what is stored for it, is larger than a bid request may be. The auction has the id that the caller gave it: a stored
 * one would be that of every view.
 */
export function readAuction(body: unknown, stored: StoredRequests, ownCode: string): PrebidAuction {
  if (!isObject(body)) throw new ApiError('VALIDATION_ERROR', 'The body must be an object.');
  const extent = new MergedExtent();
  extent.add(body);
  const named = publisherIdIn(body) ?? paramsPublisherId(body, ownCode);
  const { document: resolved, sourceId } = stored.complete(body, named, extent);
  const prebid = prebidOf(resolved);
  const codes = new BidderCodes(ownCode, prebid.aliases);

  const imps = new Map<string, AskedImp>();
  const unknown = new Map<string, string[]>();
  const errors = new Map<string, BidderMessage[]>();
  const auctioned: JsonObject[] = [];
  let publisherId: string | null = null;
  for (const imp of Array.isArray(resolved.imp) ? resolved.imp : []) {
    if (!isObject(imp)) continue;
    const impId = String(imp.id ?? '');
    const asked = codes.askedBy(imp);
    for (const code of asked.unknown) unknown.set(code, [...(unknown.get(code) ?? []), impId]);
    const isUnaddressed = asked.ours.length === 0 && asked.unknown.length === 0;
    const ours = isUnaddressed ? { code: ownCode, params: {} } : asked.ours[0];
    if (ours === undefined) continue;
    for (const { code } of asked.ours.slice(1)) {
      add(errors, code, `imp ${impId} asks this exchange as ${ours.code}, too: it bids under that code alone.`);
    }
    const stated = ours.params[PARAMETERS.publisherId];
    const ofImp = typeof stated === 'string' && stated !== '' ? stated : null;
    if (ofImp !== null && publisherId !== null && ofImp !== publisherId) {
      add(errors, ours.code, `imp ${impId} names another publisherId than the imps before it: it is not auctioned.`);
      continue;
    }
    publisherId ??= ofImp;
    const floor = ours.params[PARAMETERS.floor];
    const floorCpm = typeof floor === 'number' && floor > 0 ? floor : null;
    imps.set(impId, { code: ours.code, passthrough: prebidOf(imp).passthrough, floorCpm });
    auctioned.push(impFor(imp, ours.code, ours.params, codes));
  }
  for (const [code] of unknown) {
    add(errors, code, `${code} is no bidder of this exchange. Is an alias missing in request.ext.prebid.aliases?`);
  }
  if (auctioned.length === 0 && unknown.size > 0) {
    const [code] = unknown.keys();
    const path = 'imp[0].ext.prebid.bidder';
    throw new ApiError(
      'INVALID_PARAMS',
      `request.${path} contains unknown bidder: ${code}. Did you forget an alias in request.ext.prebid.aliases?`,
      path,
    );
  }
  const isDebug = resolved.test === 1 || prebid.debug === true || prebid.debug === 1;
  // A copy, since the floors of `request` are converted in place, and parts of it are those of the resolved one.
  const shown = isDebug ? deepCopy(resolved) : resolved;
  const [first] = imps.values();
  const told = withBidderData(withoutPrebid(resolved), prebid, first?.code ?? ownCode);
  return {
    request: { ...ofPublisher(told, publisherId ?? publisherIdIn(resolved) ?? sourceId), id: body.id, imp: auctioned },
    resolved: shown,
    imps,
    unknown,
    errors,
    targeting: readTargeting(prebid.targeting),
    caches: readCaches(prebid.cache),
    passthrough: prebid.passthrough,
    isDebug,
    tellsAllStatuses: prebid.returnallbidstatus === true,
  };
}

function add(errors: Map<string, BidderMessage[]>, code: string, message: string): void {
  errors.set(code, [...(errors.get(code) ?? []), { code: BAD_INPUT, message }]);
}

function prebidOf({ ext }: JsonObject): JsonObject {
  return isObject(ext) && isObject(ext.prebid) ? ext.prebid : {};
}

/** An imp without what is for Prebid Server and other bidders, with what the parameters say. */
function impFor(imp: JsonObject, code: string, params: JsonObject, codes: BidderCodes): JsonObject {
  const { ext: _, ...rest } = imp;
  const own = prebidOf(imp).imp;
  const ofBidder = isObject(own) && isObject(own[code]) ? (mergePatch(rest, own[code]) as JsonObject) : rest;
  const told: JsonObject = { ...ofBidder, id: imp.id };
  const ext = Object.fromEntries(
    Object.entries({ ...(isObject(imp.ext) ? imp.ext : {}), ...(isObject(told.ext) ? told.ext : {}) }).filter(
      ([name]) => name !== 'prebid' && !codes.isOurs(name),
    ),
  );
  if (Object.keys(ext).length > 0) told.ext = ext;
  else delete told.ext;
  // OpenRTB 2.6 has a field for what SDKs say here.
  if (told.rwdd === undefined && prebidOf(imp).is_rewarded_inventory === 1) told.rwdd = 1;
  const placement = params[PARAMETERS.placement];
  if (typeof placement === 'string' && placement !== '') told.tagid = placement;
  return told;
}

/** Raises the floors of a request, all in US dollars by now, to those of the bidder's parameters, in place. */
export function raiseFloors(request: BidRequest, imps: PrebidAuction['imps']): void {
  for (const imp of request.imp as Mutable<Imp>[]) {
    const floorCpm = imps.get(imp.id)?.floorCpm ?? null;
    if (floorCpm === null || floorCpm <= (imp.bidfloor ?? 0)) continue;
    if (floorCpm > MAX_CPM) throw new InvalidFloor('bidFloor', `must be a CPM from 0 to ${MAX_CPM}`);
    imp.bidfloor = floorCpm;
    imp.bidfloorcur = CURRENCY;
  }
}

function withoutPrebid(document: JsonObject): JsonObject {
  const { ext, ...rest } = document;
  if (!isObject(ext)) return rest;
  const { prebid: _, ...others } = ext;
  return Object.keys(others).length === 0 ? rest : { ...rest, ext: others };
}

function publisherIdIn(document: JsonObject): string | null {
  for (const inventory of [document.site, document.app, document.dooh]) {
    const publisher = isObject(inventory) ? inventory.publisher : undefined;
    if (isObject(publisher) && typeof publisher.id === 'string' && publisher.id !== '') return publisher.id;
  }
  return null;
}

/** The supply source that the parameters of the first imp name. */
function paramsPublisherId(document: JsonObject, ownCode: string): string | null {
  const codes = new BidderCodes(ownCode, prebidOf(document).aliases);
  const [imp] = Array.isArray(document.imp) ? document.imp : [];
  const stated = isObject(imp) ? codes.askedBy(imp).ours[0]?.params[PARAMETERS.publisherId] : undefined;
  return typeof stated === 'string' && stated !== '' ? stated : null;
}

/**
 * The request as one of the supply source `id`, which stands where the exchange looks for it first. A request without
 * inventory is one of a page.
 */
function ofPublisher(request: JsonObject, id: string | null): JsonObject {
  const kind = ['app', 'dooh'].find((each) => isObject(request[each])) ?? 'site';
  const inventory = isObject(request[kind]) ? request[kind] : {};
  if (id === null) return { ...request, [kind]: inventory };
  const publisher = isObject(inventory.publisher) ? inventory.publisher : {};
  return { ...request, [kind]: { ...inventory, id, publisher: { ...publisher, id } } };
}

function readCaches(cache: unknown): PrebidAuction['caches'] {
  const asked = isObject(cache) ? cache : {};
  return { bids: isObject(asked.bids), vast: isObject(asked.vastxml) };
}
