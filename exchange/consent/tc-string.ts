import { BitReader } from './bit-reader.ts';

/** The two purposes that passing on an id depends on: storage on the device, and choosing an ad. */
const STORE_AND_ACCESS = 1;
const BASIC_ADS = 2;

/** Where the fields of the core segment begin, in bits ("IAB Tech Lab - Consent string and vendor list formats v2"). */
const VERSION_BITS = 6;
const CREATED_AT = 6;
const LAST_UPDATED_AT = 42;
const SPECIAL_FEATURES_AT = 140;
const PURPOSES_AT = 152;
const PURPOSE_ONE_TREATMENT_AT = 200;
const VENDORS_AT = 213;

/** The type in the first three bits of a segment after the core. */
const DISCLOSED_VENDORS = 1;
const SEGMENT_TYPE_BITS = 3;

/**
 * TCF 2.3: strings made from this day (UTC) on name the vendors that the user was told of. The unit is tenths of a
 * second, as in the strings.
 */
const DISCLOSURE_SINCE = Date.UTC(2026, 1, 28) / 100;

/**
 * Restriction types: the publisher does not allow the purpose, or allows it only by legitimate interest, which is no
 * consent.
 */
const NOT_ALLOWED = 0;
const BY_LEGITIMATE_INTEREST = 2;

/** The user's choices for one vendor. */
export interface VendorConsent {
  /**
   * Whether the user consented to the vendor for purposes 1 and 2, the publisher did not restrict it, and the user was
   * told of the vendor (TCF 2.3).
   */
  readonly given: boolean;
  /** Whether the user opted in to special feature 1, precise geolocation. */
  readonly preciseGeo: boolean;
}

/**
 * Reads a TC string (TCF v2) for one vendor; null for one that is malformed or of another version. The time is
 * proportional to the length of the string, whatever it says: decision 0022 says why this is not the library's decoder.
 *
 * The string's own date decides whether it must name the disclosed vendors. A string that names some is held to them
 * whenever it was made (decision 0049).
 */
export function readTcString(tcString: string, vendorId: number): VendorConsent | null {
  const end = tcString.indexOf('.');
  const bits = new BitReader(end === -1 ? tcString : tcString.slice(0, end));
  if (bits.integer(VERSION_BITS) !== 2) return null;
  const mustDisclose = Math.max(readDate(bits, CREATED_AT), readDate(bits, LAST_UPDATED_AT)) >= DISCLOSURE_SINCE;
  const at = (position: number): boolean => {
    bits.skipTo(position);
    return bits.bit();
  };
  const preciseGeo = at(SPECIAL_FEATURES_AT);
  // Where the law of the publisher's country does not require asking for purpose 1, it does not count as missing.
  const storage = at(PURPOSES_AT + STORE_AND_ACCESS - 1) || at(PURPOSE_ONE_TREATMENT_AT);
  const basicAds = at(PURPOSES_AT + BASIC_ADS - 1);

  bits.skipTo(VENDORS_AT);
  const vendorConsents = readVendors(bits, vendorId);
  readVendors(bits, vendorId);
  const restricted = readRestricted(bits, vendorId);
  if (bits.broken) return null;
  const disclosure = end === -1 ? 'none' : readDisclosure(tcString, end, vendorId);
  if (disclosure === 'broken') return null;
  const isDisclosed = disclosure === 'none' ? !mustDisclose : disclosure === 'disclosed';
  return { given: vendorConsents && storage && basicAds && !restricted && isDisclosed, preciseGeo };
}

/** Reads a date in tenths of a second since 1970; it has more bits than `integer` reads at once. */
function readDate(bits: BitReader, position: number): number {
  bits.skipTo(position);
  return bits.integer(18) * 2 ** 18 + bits.integer(18);
}

/**
 * Reads what the segments after the core say about this vendor; the last of several lists counts, as in the library.
 * `none` stands for no list, and for an empty one, which platforms without a list append (`.IAAA`). Empty segments are
 * skipped.
 */
function readDisclosure(
  tcString: string,
  end: number,
  vendorId: number,
): 'none' | 'disclosed' | 'undisclosed' | 'broken' {
  let found: 'none' | 'disclosed' | 'undisclosed' = 'none';
  for (let at = end + 1, next = 0; at < tcString.length; at = next + 1) {
    const dot = tcString.indexOf('.', at);
    next = dot === -1 ? tcString.length : dot;
    if (next === at) continue;
    const bits = new BitReader(tcString.slice(at, next));
    if (bits.integer(SEGMENT_TYPE_BITS) !== DISCLOSED_VENDORS) continue;
    const start = bits.position;
    const isEmpty = bits.integer(16) === 0;
    bits.skipTo(start);
    const isDisclosed = readVendors(bits, vendorId);
    if (bits.broken) return 'broken';
    found = isEmpty ? 'none' : isDisclosed ? 'disclosed' : 'undisclosed';
  }
  return found;
}

/** Whether a set of vendors, as a bit field or as ranges, has this one. The reader then stands behind the set. */
function readVendors(bits: BitReader, vendorId: number): boolean {
  const maxVendorId = bits.integer(16);
  if (bits.bit()) return readRanges(bits, vendorId);
  const field = bits.position;
  let has = false;
  if (vendorId <= maxVendorId) {
    bits.skipTo(field + vendorId - 1);
    has = bits.bit();
  }
  bits.skipTo(field + maxVendorId);
  return has;
}

function readRanges(bits: BitReader, vendorId: number): boolean {
  const entries = bits.integer(12);
  let has = false;
  for (let entry = 0; entry < entries && !bits.broken; entry++) {
    const isRange = bits.bit();
    const first = bits.integer(16);
    const last = isRange ? bits.integer(16) : first;
    if (first <= vendorId && vendorId <= last) has = true;
  }
  return has;
}

/** Whether the publisher's restrictions deny the vendor consent for purpose 1 or 2. */
function readRestricted(bits: BitReader, vendorId: number): boolean {
  const restrictions = bits.integer(12);
  let restricted = false;
  for (let index = 0; index < restrictions && !bits.broken; index++) {
    const purpose = bits.integer(6);
    const type = bits.integer(2);
    const concerns = readRanges(bits, vendorId);
    if (!concerns || (type !== NOT_ALLOWED && type !== BY_LEGITIMATE_INTEREST)) continue;
    if (purpose === STORE_AND_ACCESS || purpose === BASIC_ADS) restricted = true;
  }
  return restricted;
}
