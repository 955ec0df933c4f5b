import type { BidRequest, Device, Ext, Geo, User } from '../openrtb/bid-request.ts';
import { type Mutable, shallowCopy } from '../openrtb/shallow-copy.ts';
import { allowsIds, type Treatment } from './treatment.ts';
import { truncateAddress } from './truncate-address.ts';

export const DEVICE_ID_FIELDS = ['ifa', 'didsha1', 'didmd5', 'dpidsha1', 'dpidmd5', 'macsha1', 'macmd5'];
export const USER_ID_FIELDS = ['id', 'buyeruid', 'customdata'];
/** Lists of ids, and segments that somebody keeps under an id of the user. */
const USER_IDENTITY_FIELDS = [...USER_ID_FIELDS, 'eids', 'data'];
const PROFILE_FIELDS = ['yob', 'gender', 'keywords', 'kwarray'];
const EXACT_GEO_FIELDS = ['zip', 'accuracy', 'lastfix', 'ext'];
/** What of a place does not say where in it a child is. */
const COUNTRY_FIELDS = ['country', 'region', 'utcoffset'];

/** Extensions are anybody's and may name the viewer; these are known not to. */
const USER_EXT_KEPT = ['consent', 'consented_providers_settings', 'ConsentedProvidersSettings'];

/** Degrees with two decimals: about a kilometre. */
const DEGREES_KEPT = 2;

/** Takes out of a copy of a request what the treatment withholds (decision 0022). What lies below is copied, never changed. */
export function withhold(request: Mutable<BidRequest>, treatment: Treatment): void {
  if (treatment === 'open') return;
  const { device, user } = request;
  if (device !== undefined) request.device = withheldDevice(device, treatment);
  if (user !== undefined) request.user = withheldUser(user, treatment);
}

function withheldDevice(device: Device, treatment: Treatment): Device {
  if (!allowsIds(treatment)) {
    const limited = shallowCopy(device, DEVICE_ID_FIELDS);
    if (device.geo) limited.geo = withheldGeo(device.geo, treatment);
    if (device.ip !== undefined) limited.ip = truncateAddress(device.ip);
    if (device.ipv6 !== undefined) limited.ipv6 = truncateAddress(device.ipv6);
    if (device.ext) limited.ext = withheldDeviceExt(device.ext);
    return limited as Device;
  }
  if (!device.geo) return device;
  const coarse = shallowCopy(device);
  coarse.geo = withheldGeo(device.geo, treatment);
  return coarse;
}

/** `atts` alone, a number: Apple's own word on whether tracking is authorised. */
function withheldDeviceExt({ atts }: Ext): Ext {
  return typeof atts === 'number' ? { atts } : {};
}

function withheldUser(user: User, treatment: Treatment): User {
  const without = allowsIds(treatment)
    ? []
    : treatment === 'child'
      ? [...USER_IDENTITY_FIELDS, ...PROFILE_FIELDS]
      : USER_IDENTITY_FIELDS;
  const limited = shallowCopy(user, without);
  if (user.geo) limited.geo = withheldGeo(user.geo, treatment);
  if (user.ext && !allowsIds(treatment)) limited.ext = kept(user.ext, USER_EXT_KEPT);
  return limited;
}

function withheldGeo(geo: Geo, treatment: Treatment): Geo {
  if (treatment === 'child') return kept(geo as Ext, COUNTRY_FIELDS);
  const coarse = shallowCopy(geo, EXACT_GEO_FIELDS);
  if (geo.lat !== undefined) coarse.lat = Number(geo.lat.toFixed(DEGREES_KEPT));
  if (geo.lon !== undefined) coarse.lon = Number(geo.lon.toFixed(DEGREES_KEPT));
  return coarse;
}

function kept(fields: Ext, names: readonly string[]): Ext {
  const left: Record<string, unknown> = {};
  for (const name of names) if (fields[name] !== undefined) left[name] = fields[name];
  return left;
}
