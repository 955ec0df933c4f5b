const utf8 = new TextEncoder();
/** Texts that stand in JSON as they are, with a byte for each character. */
export const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * The longest beginning of `text` that takes at most `bytes` in JSON text when each character is encoded by `written`.
 */
export function truncateToBytes(text: string, bytes: number, written: (character: string) => string): string {
  let kept = '';
  let taken = 0;
  for (const character of text.slice(0, bytes)) {
    const encoded = written(character);
    taken += PLAIN.test(encoded) ? encoded.length : utf8.encode(JSON.stringify(encoded)).length - '""'.length;
    if (taken > bytes) break;
    kept += character;
  }
  return kept;
}
