const SCRIPT = /<script\b/gi;
/** An attribute `src` and its value, as far as quotes, white space or the tag's end; whatever begins one, ends as one. */
const SRC = /\bsrc\s*=\s*["']?([^"'\s>]*)/gi;
const MRAID = /(?:^|\/)mraid\.js\b/i;

/**
 * Whether markup asks for the container's script by its name (MRAID 3.0 §4.1). Each character is looked at a fixed number of times:
 * a tag that never ends ends the search.
 */
export function asksForMraid(html: string): boolean {
  SCRIPT.lastIndex = 0;
  for (let tag = SCRIPT.exec(html); tag !== null; tag = SCRIPT.exec(html)) {
    const close = html.indexOf('>', tag.index);
    const end = close === -1 ? html.length : close;
    for (const [, source = ''] of html.slice(tag.index, end).matchAll(SRC)) {
      if (MRAID.test(source)) return true;
    }
    SCRIPT.lastIndex = end;
  }
  return false;
}
