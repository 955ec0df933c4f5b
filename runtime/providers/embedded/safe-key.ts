import { createHash } from 'node:crypto';

/**
 * Upper bound of a key in characters. lmdb accepts keys of 1 to 1,978 bytes without a null; a character has at most
 * three bytes.
 */
const LONGEST = 500;
const HASHED = '#sha256:';

/**
 * `text` as (the end of) a key: itself, or its hash where lmdb could not store it. One to one for all practical
 * purposes.
 */
export function safeKey(text: string): string {
  const fits = text !== '' && text.length <= LONGEST;
  if (fits && !text.includes('\0') && !isHash(text)) return text;
  return HASHED + createHash('sha256').update(text).digest('hex');
}

/** Whether a result of {@link safeKey} is a hash. */
export function isHash(key: string): boolean {
  return key.startsWith(HASHED);
}
