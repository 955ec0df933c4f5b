import { GppModel } from '@iabgpp/cmpapi';
import { BitReader } from './bit-reader.ts';
import { optsOutOfSale } from './us-privacy.ts';

export const TCF_EU_SECTION = 2;
const USP_SECTION = 6;
/** The id of the national US section; those of the states follow it. */
const US_SECTIONS_FROM = 7;

/** The longest GPP string that is read; the bound keeps reading cheap. */
const MAX_GPP_LENGTH = 16_384;
/** The longest US section that is read; real ones have some 30 characters. */
const MAX_US_SECTION_LENGTH = 128;
/** The number of Fibonacci terms that can still name a section. */
const MAX_FIBONACCI_BITS = 12;

const HEADER_TYPE = 3;
const HEADER_VERSION = 1;

/** The content of a GPP string, as far as the exchange understands its sections. */
export interface GppReading {
  /** The TC string of section 2. */
  readonly tcString: string | null;
  /** The sections in which the user opted out of sale, sharing or targeted advertising, or is known to be a child. */
  readonly optOuts: readonly number[];
}

/**
 * Reads a GPP string (Global Privacy Platform, version 1); null for a malformed one. A malformed section says nothing.
 */
export function readGpp(gpp: string): GppReading | null {
  if (gpp.length > MAX_GPP_LENGTH) return null;
  const [header = '', ...sections] = gpp.split('~');
  const ids = readSectionIds(header, sections.length);
  if (ids === null) return null;
  const tcfEu = ids.indexOf(TCF_EU_SECTION);
  return {
    tcString: tcfEu === -1 ? null : sections[tcfEu]!,
    optOuts: ids.filter((id, index) => optsOut(id, sections[index]!)),
  };
}

/**
 * The section ids in the header, ascending, as many as there are sections: differences in Fibonacci coding, alone or as
 * ranges. The library would expand any range, and a few bits can name one of billions.
 */
function readSectionIds(header: string, sections: number): number[] | null {
  const bits = new BitReader(header);
  if (bits.integer(6) !== HEADER_TYPE || bits.integer(6) !== HEADER_VERSION) return null;
  const entries = bits.integer(12);
  const ids: number[] = [];
  let id = 0;
  for (let entry = 0; entry < entries && !bits.broken; entry++) {
    const isRange = bits.bit();
    id += readFibonacci(bits);
    ids.push(id);
    for (let more = isRange ? readFibonacci(bits) : 0; more > 0 && ids.length <= sections; more--) ids.push(++id);
  }
  return bits.broken || ids.length !== sections ? null : ids;
}

/** Reads a number in Fibonacci coding: the terms 1, 2, 3, 5, … that add up to it, lowest first, ended by a second 1. */
function readFibonacci(bits: BitReader): number {
  let sum = 0;
  let term = 1;
  let next = 2;
  let before = false;
  for (let read = 0; read <= MAX_FIBONACCI_BITS; read++) {
    const bit = bits.bit();
    if (bit && before) return sum;
    if (bit) sum += term;
    before = bit;
    [term, next] = [next, term + next];
  }
  return Number.POSITIVE_INFINITY;
}

function optsOut(id: number, section: string): boolean {
  if (id === USP_SECTION) return optsOutOfSale(section);
  if (id < US_SECTIONS_FROM || section.length > MAX_US_SECTION_LENGTH) return false;
  try {
    const model = new GppModel();
    model.decodeSectionById(id, section);
    const value = (field: string): unknown =>
      model.hasFieldBySectionId(id, field) ? model.getFieldValueBySectionId(id, field) : undefined;
    // The values are 0: not applicable, 1: opted out, 2: did not opt out; for a known child, 1 means no consent. Not
    // every state's section has each field.
    return (
      value('SaleOptOut') === 1 ||
      value('SharingOptOut') === 1 ||
      value('TargetedAdvertisingOptOut') === 1 ||
      value('Gpc') === true ||
      [value('KnownChildSensitiveDataConsents')].flat().includes(1)
    );
  } catch {
    return false;
  }
}
