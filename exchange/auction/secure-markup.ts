/** The beginning of a plain URL, as text or escaped in JSON. */
const PLAIN_URL = /http:(?:\/\/|\\\/\\\/)/gi;

/** How far back the place of a URL is looked at; also what keeps hostile markup from costing more than its length. */
const REACH = 200;

/** Plain URLs that are looked at; markup that names more of them, each in a place where it does no harm, is nobody's. */
const MOST_PLAIN_URLS = 1_000;

/** What a URL begins after in HTML, CSS, XML text and JSON. Anything else, and it is a part of another URL or of a word. */
const BEGINS_URL = /(?:["'(>[\s]|&quot;|(?:^|[\s"'])[\w:-]+=)$/;

/** Places that name something, or that a person has to click to go to: nothing is loaded from there. */
const NOT_LOADED = [
  /\bxmlns(?::[\w-]+)?\s*=\s*\\?["']$/i,
  /schemaLocation\s*=\s*\\?["'][^"'<>]*$/i,
  /<!DOCTYPE\b[^<>]*$/i,
  /<a\b[^<>]*\shref\s*=\s*(?:\\?["'])?$/i,
  /<(?:[\w-]+:)?\w*ClickThrough\b[^<>]*>\s*(?:<!\[CDATA\[\s*)?$/i,
  /"link"\s*:\s*\{[^{}]*"url"\s*:\s*"$/i,
];

/**
 * Whether markup loads something over plain HTTP, which an imp with `secure: 1` forbids (OpenRTB 2.6 §3.2.4): a
 * resource, a tracker, a media file, a wrapped VAST document. Landing pages may be plain, and so may XML namespaces,
 * which are names. A plain URL inside another URL's query is that other server's matter.
 */
export function loadsInsecurely(markup: string): boolean {
  return firstInsecureAt(markup) !== -1;
}

/** The first URL that is loaded over plain HTTP, as far as {@link REACH} characters of it; null for none. */
export function insecureUrlIn(markup: string): string | null {
  const at = firstInsecureAt(markup);
  if (at === -1) return null;
  let end = at;
  while (end < markup.length && end - at < REACH && !ENDS_URL.includes(markup[end]!)) end += 1;
  return markup.slice(at, end);
}

/** Where a URL ends that stands in a text. */
const ENDS_URL = '"\'<>()[] \t\r\n';

/** -1 for none. */
function firstInsecureAt(markup: string): number {
  let seen = 0;
  for (const { index } of markup.matchAll(PLAIN_URL)) {
    if (++seen > MOST_PLAIN_URLS) return index;
    const before = markup.slice(Math.max(0, index - REACH), index);
    if (index > 0 && !BEGINS_URL.test(before)) continue;
    if (!NOT_LOADED.some((place) => place.test(before))) return index;
  }
  return -1;
}
