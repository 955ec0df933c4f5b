/** Of a name as {@link encodeRowName} writes it: an ad server's ids, and UUIDs, are shorter by far. */
const MAX_ENCODED_LENGTH = 64;
/** Of a name that is cut, without its sum and the `~` before that. */
const CUT_LENGTH = 55;
/** What tells names with the same beginning apart lies within so much of either end, or in their lengths. */
const HASHED_LENGTH = 500;

const PLAIN_NAME = /^[\w-]{1,64}$/;

/**
 * A name without dots and dollars, as a key of a stored document may be. Half a surrogate pair becomes the replacement
 * character.
 */
export function encodeRowName(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  const wellFormed = name.replace(/\p{Surrogate}/gu, '\ufffd');
  return encodeURIComponent(wellFormed).replaceAll('.', '%2E');
}

/**
 * The name that books know a name by: itself, unless it is longer than a book has room for: it names tens of thousands,
 * and demand sources choose ids of creatives, a quarter of a megabyte long if they like. Such a name is cut and tells itself from its
 * like by a sum, `<beginning>~<sum>`. A name that books know is its own.
 */
export function boundedRowName(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  if (name.length <= MAX_ENCODED_LENGTH && encodeRowName(name).length <= MAX_ENCODED_LENGTH) return name;
  let beginning = '';
  let length = 0;
  for (const character of name) {
    length += encodeRowName(character).length;
    if (length > CUT_LENGTH) break;
    beginning += character;
  }
  return `${beginning}~${fnv1a(`${name.length} ${name.slice(0, HASHED_LENGTH)} ${name.slice(-HASHED_LENGTH)}`)}`;
}

/** FNV-1a, 32 bits, in at most seven characters. */
function fnv1a(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(36);
}
