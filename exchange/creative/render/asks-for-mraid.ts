const SCRIPT = /<script\b/gi;
/** An attribute `src` and its value up to a quote, white space or the end of the tag, whichever quote opened it. */
const SRC = /\bsrc\s*=\s*["']?([^"'\s>]*)/gi;
const MRAID = /(?:^|\/)mraid\.js\b/i;
/** The name anywhere in the markup. */
const MRAID_MENTION = /mraid\.js\b/gi;
/**
 * What stands before the name where a script sets the source: `src = "`, `src: '`, `"src", "`, as text or escaped in
 * JSON.
 */
const SET_BY_SCRIPT = /\bsrc\\?["'`]?\s{0,9}[=:,]\s{0,9}\\?["'`](?:[^"'`\s<>]*\/)?$/i;
/** How many characters before the name are read. */
const LOOKBEHIND_CHARACTERS = 200;
/** The most occurrences of the name that are checked; markup with more is taken to ask for it. */
const MAX_MRAID_MENTIONS = 100;

/**
 * Whether markup asks for the container's script by its name (MRAID 3.0 §4.1), in a tag or by a script that makes one.
 * The time is proportional to the markup's length: an unclosed tag ends the search, and the number of checked
 * occurrences is bounded.
 */
export function asksForMraid(html: string): boolean {
  MRAID_MENTION.lastIndex = 0;
  return MRAID_MENTION.test(html) && (isInTag(html) || isSetByScript(html));
}

function isSetByScript(html: string): boolean {
  let named = 0;
  MRAID_MENTION.lastIndex = 0;
  for (const { index } of html.matchAll(MRAID_MENTION)) {
    if (
      ++named > MAX_MRAID_MENTIONS ||
      SET_BY_SCRIPT.test(html.slice(Math.max(0, index - LOOKBEHIND_CHARACTERS), index))
    )
      return true;
  }
  return false;
}

function isInTag(html: string): boolean {
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
