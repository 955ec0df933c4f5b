/** The longest name as {@link encodeRowName} writes it: an ad server's ids, and UUIDs, are much shorter. */
const MAX_ENCODED_LENGTH = 64;
/** The length of a truncated name, without its hash and the `~` before that. */
const CUT_LENGTH = 55;
/** Names with the same beginning differ within this many characters of either end, or in their lengths. */
const HASHED_LENGTH = 500;

const PLAIN_NAME = /^[\w-]{1,64}$/;

/**
 * A name without dots and dollars, which a key of a stored document may contain. An unpaired surrogate becomes the
 * replacement character.
 */
export function encodeRowName(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  const wellFormed = name.replace(/\p{Surrogate}/gu, '\ufffd');
  return encodeURIComponent(wellFormed).replaceAll('.', '%2E');
}

/**
 * The name in the form of the books: itself, unless it is longer than a ledger has room for. A ledger names tens of
 * thousands, and demand sources choose the ids of creatives, up to a quarter of a megabyte long. Such a name is
 * truncated and gets a hash that tells it from others, `<beginning>~<hash>`. A name in this form stays as it is.
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
