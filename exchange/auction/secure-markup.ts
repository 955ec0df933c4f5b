/** The beginning of a plain URL, as text or escaped in JSON. */
const PLAIN_URL = /http:(?:\/\/|\\\/\\\/)/gi;

/** How far back the place of a URL is looked at; also what keeps hostile markup from costing more than its length. */
const LOOKBEHIND_CHARACTERS = 200;

/** Plain URLs that are looked at; markup that names more of them, each in a place where it does no harm, is nobody's. */
const MAX_PLAIN_URLS = 1_000;

/** Characters of a URL that are quoted to whoever asks which it was. */
const MAX_QUOTED_URL_LENGTH = 200;

/** Where a URL ends in HTML, CSS, XML text and JSON. */
const ENDS_URL = /["'<>\s)]|&quot;|\]\]|\\(?!\/)/;

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
 * The first URL that markup loads over plain HTTP, which an imp with `secure: 1` forbids (OpenRTB 2.6 §3.2.4): a resource, a
 * tracker, a media file, a wrapped VAST document; null where there is none. Landing pages may be plain, and so may XML
 * namespaces, which are names. A plain URL inside another URL's query is that other server's matter.
 */
export function firstInsecureUrl(markup: string): string | null {
  let seen = 0;
  for (const { index } of markup.matchAll(PLAIN_URL)) {
    if (++seen > MAX_PLAIN_URLS) return quoted(markup, index);
    const before = markup.slice(Math.max(0, index - LOOKBEHIND_CHARACTERS), index);
    if (index > 0 && !BEGINS_URL.test(before)) continue;
    if (!NOT_LOADED.some((place) => place.test(before))) return quoted(markup, index);
  }
  return null;
}

/** A URL without its query, which may name a person. */
export function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** The URL that begins there, as it would be typed; a long one is cut short. */
function quoted(markup: string, index: number): string {
  const rest = markup.slice(index, index + MAX_QUOTED_URL_LENGTH);
  const end = rest.search(ENDS_URL);
  return (end === -1 ? rest : rest.slice(0, end)).replaceAll('\\/', '/');
}
