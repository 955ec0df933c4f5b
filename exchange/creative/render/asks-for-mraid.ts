const SCRIPT = /<script\b/gi;
/** An attribute `src` and its value, as far as quotes, white space or the tag's end; whatever begins one, ends as one. */
const SRC = /\bsrc\s*=\s*["']?([^"'\s>]*)/gi;
const MRAID = /(?:^|\/)mraid\.js\b/i;
/** Wherever the name stands. */
const MRAID_MENTION = /mraid\.js\b/gi;
/** What stands before it where a script sets what is loaded: `src = "`, `src: '`, `"src", "`, as text or escaped in JSON. */
const SET_BY_SCRIPT = /\bsrc\\?["'`]?\s{0,9}[=:,]\s{0,9}\\?["'`](?:[^"'`\s<>]*\/)?$/i;
/** How far back from the name that is looked for. */
const LOOKBEHIND_CHARACTERS = 200;
/** Times that the name is looked at; markup that names it more often asks for it. */
const MAX_MRAID_MENTIONS = 100;

/**
 * Whether markup asks for the container's script by its name (MRAID 3.0 §4.1), in a tag or by a script that makes one. Time is in
 * proportion to the markup's length: a tag that never ends ends the search, and the name is looked at so many times and no more.
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
