import { isObject, type JsonObject } from '#exchange/openrtb/shape';
import { ApiError } from '../../errors.ts';
import { mergePatches } from '../../http/merge-patch.ts';

const EVERY = '*';
/** The most of `bidderconfig` that are for one bidder. */
const MOST_CONFIGS = 50;

/**
 * The request as the bidder `code` may have it, of what `ext.prebid` says of single bidders (Prebid Server, "First
 * party data"): `bidderconfig` and `schains` are added, `data.bidders` and `data.eidpermissions` take away. Throws
 * VALIDATION_ERROR for more of `bidderconfig` than a bidder may have.
 */
export function withBidderData(request: JsonObject, prebid: JsonObject, code: string): JsonObject {
  let told = request;
  const configs = listOf(prebid.bidderconfig).filter(({ bidders }) => names(bidders, code));
  if (configs.length > MOST_CONFIGS) {
    const path = 'ext.prebid.bidderconfig';
    throw new ApiError('VALIDATION_ERROR', `${path} has more than ${MOST_CONFIGS} elements for ${code}.`, path);
  }
  const patches = configs.flatMap(({ config }) => (isObject(config) && isObject(config.ortb2) ? [config.ortb2] : []));
  for (const name of ['site', 'app', 'user']) {
    const ofPart = patches.map((patch) => patch[name]).filter(isObject);
    // A viewer may be told of by the configuration alone, and the inventory not.
    if (ofPart.length === 0 || (name !== 'user' && !isObject(told[name]))) continue;
    told = { ...told, [name]: mergePatches(told[name], ofPart) };
  }
  const data = isObject(prebid.data) ? prebid.data : {};
  if (Array.isArray(data.bidders) && !names(data.bidders, code)) told = withoutOwnData(told);
  return withSupplyChain(withPermittedIds(told, listOf(data.eidpermissions), code), listOf(prebid.schains), code);
}

/** Without the data of the publisher's own, which the request reserves for other bidders. */
function withoutOwnData(request: JsonObject): JsonObject {
  const told = { ...request };
  for (const name of ['site', 'app', 'user']) {
    const part = told[name];
    if (!isObject(part) || !isObject(part.ext) || part.ext.data === undefined) continue;
    const { data: _, ...ext } = part.ext;
    told[name] = { ...part, ext };
  }
  return told;
}

/** Without the ids that the request reserves for other bidders, wherever they stand (OpenRTB 2.5 and 2.6). */
function withPermittedIds(request: JsonObject, permissions: readonly JsonObject[], code: string): JsonObject {
  const reserved = new Set(permissions.flatMap(({ source, bidders }) => (names(bidders, code) ? [] : [source])));
  const { user } = request;
  if (reserved.size === 0 || !isObject(user)) return request;
  const permitted = (eids: unknown) =>
    Array.isArray(eids) ? eids.filter((eid) => !(isObject(eid) && reserved.has(eid.source))) : eids;
  const told: JsonObject = { ...user };
  if (user.eids !== undefined) told.eids = permitted(user.eids);
  if (isObject(user.ext) && user.ext.eids !== undefined) told.ext = { ...user.ext, eids: permitted(user.ext.eids) };
  return { ...request, user: told };
}

/** With the supply chain for this bidder, or else that for all, where the request has none of its own. */
function withSupplyChain(request: JsonObject, chains: readonly JsonObject[], code: string): JsonObject {
  const source = isObject(request.source) ? request.source : {};
  const ext = isObject(source.ext) ? source.ext : {};
  if (source.schain !== undefined || ext.schain !== undefined) return request;
  const own = chains.find(({ bidders }) => Array.isArray(bidders) && bidders.includes(code));
  const chain = (own ?? chains.find(({ bidders }) => names(bidders, code)))?.schain;
  return isObject(chain) ? { ...request, source: { ...source, schain: chain } } : request;
}

function names(bidders: unknown, code: string): boolean {
  return Array.isArray(bidders) && (bidders.includes(code) || bidders.includes(EVERY));
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
