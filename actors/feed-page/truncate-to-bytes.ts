const utf8 = new TextEncoder();

/**
 * The longest beginning of `text` that takes at most `bytes` in JSON text when each character is encoded by `written`.
 */
export function truncateToBytes(text: string, bytes: number, written: (character: string) => string): string {
  let kept = '';
  let taken = 0;
  for (const character of text.slice(0, bytes)) {
    taken += utf8.encode(JSON.stringify(written(character))).length - '""'.length;
    if (taken > bytes) break;
    kept += character;
  }
  return kept;
}
