import type { SaxesOptions } from 'saxes';

/**
 * How VAST is parsed: as XML 1.0, which all players read, whatever its declaration says. XML 1.1 has control
 * characters, by which a URL that runs code passes for another one, and which no document of 1.0 can be written with.
 */
export const XML_1_0 = {
  xmlns: false,
  defaultXMLVersion: '1.0',
  forceXMLVersion: true,
} as const satisfies SaxesOptions;

/** Half of a surrogate pair is no character; the parser takes what follows it for the other half, as a `<`. */
export const HALF_A_PAIR = 'the document has half of a surrogate pair';

/** The document without a byte-order mark and leading white space; null for {@link HALF_A_PAIR}. */
export function xmlTextOf(document: string): string | null {
  return document.isWellFormed() ? document.trimStart() : null;
}
