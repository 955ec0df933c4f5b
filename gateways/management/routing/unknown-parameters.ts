import type { TObject } from 'typebox';

/** At most so many unknown parameters are named, each cut to so many characters. */
const MAX_NAMED = 10;
const MAX_NAME_LENGTH = 64;

/** Read of every request, whatever its route. */
const EVERYWHERE: ReadonlySet<string> = new Set(['sandbox']);

/**
 * What the `Warning` header says of query parameters that the route does not know: `299 - "Unknown query parameters: a, b"`
 * (RFC 7234 §5.5; 299 is a warning that stays with the answer). Null where all are known. Names are percent-encoded, so that
 * none ends the quoted text or the header.
 */
export function unknownParametersWarning(schema: TObject, query: Readonly<Record<string, unknown>>): string | null {
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(schema.properties, name) && !EVERYWHERE.has(name));
  if (unknown.length === 0) return null;
  const named = unknown
    .slice(0, MAX_NAMED)
    .map((name) => encodeURIComponent(wellFormed(name.slice(0, MAX_NAME_LENGTH))));
  const more = unknown.length > MAX_NAMED ? `, and ${unknown.length - MAX_NAMED} more` : '';
  return `299 - "Unknown query parameters: ${named.join(', ')}${more}"`;
}

/** Half of a character, as a cut may leave it, cannot be encoded. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
