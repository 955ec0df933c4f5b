import type { TObject } from 'typebox';

/** The largest number of unknown parameters that the warning names. */
const MAX_NAMED = 10;
/** Each name in the warning is cut to this many characters. */
const MAX_NAME_LENGTH = 64;

/** The parameters that every route reads. */
const EVERYWHERE: ReadonlySet<string> = new Set(['sandbox']);

/**
 * The `Warning` header for query parameters that the route does not know: `299 - "Unknown query parameters: a, b"` (RFC
 * 7234 §5.5; 299 is a warning that stays with the answer). Null when all parameters are known. Names are
 * percent-encoded, so that no name ends the quoted text or the header.
 */
export function unknownParametersWarning(schema: TObject, query: Readonly<Record<string, unknown>>): string | null {
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(schema.properties, name) && !EVERYWHERE.has(name));
  if (unknown.length === 0) return null;
  const names = unknown
    .slice(0, MAX_NAMED)
    .map((name) => encodeURIComponent(wellFormed(name.slice(0, MAX_NAME_LENGTH))));
  const more = unknown.length > MAX_NAMED ? `, and ${unknown.length - MAX_NAMED} more` : '';
  return `299 - "Unknown query parameters: ${names.join(', ')}${more}"`;
}

/** Replaces half a surrogate pair, which a cut may leave and which cannot be encoded. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
