/** The beginning of a plain-HTTP URL, as text or escaped in JSON. */
const PLAIN_URL = /http:(?:\/\/|\\\/\\\/)/gi;

/**
 * How many characters before a URL are read to see its place. The bound also keeps the cost of hostile markup linear in
 * its length.
 */
const LOOKBEHIND_CHARACTERS = 200;

/** At most this many plain URLs are checked, and markup with more is refused; real markup has fewer. */
const MAX_PLAIN_URLS = 1_000;

/** At most this many characters of a URL are quoted in an explanation. */
const MAX_QUOTED_URL_LENGTH = 200;

/** The end of a URL in HTML, CSS, XML text and JSON. */
const ENDS_URL = /["'<>\s)]|&quot;|\]\]|\\(?!\/)/;

/**
 * What stands before a URL in HTML, CSS, XML text and JSON. After anything else, the match is part of another URL or of
 * a word.
 */
const BEGINS_URL = /(?:["'(>[\s]|&quot;|(?:^|[\s"'])[\w:-]+=)$/;

/** Places whose URL is only a name, or is opened only by a click: nothing is loaded from there. */
const NOT_LOADED = [
  /\bxmlns(?::[\w-]+)?\s*=\s*\\?["']$/i,
  /schemaLocation\s*=\s*\\?["'][^"'<>]*$/i,
  /<!DOCTYPE\b[^<>]*$/i,
  /<a\b[^<>]*\shref\s*=\s*(?:\\?["'])?$/i,
  /<(?:[\w-]+:)?\w*ClickThrough\b[^<>]*>\s*(?:<!\[CDATA\[\s*)?$/i,
  /"link"\s*:\s*\{[^{}]*"url"\s*:\s*"$/i,
];

/**
 * The first URL that markup loads over plain HTTP, which an imp with `secure: 1` forbids (OpenRTB 2.6 §3.2.4): a
 * resource, a tracker, a media file or a wrapped VAST document; null where there is none. Landing pages may be plain,
 * and so may XML namespaces, which are names. A plain URL inside another URL's query concerns only the server of that
 * URL.
 */
export function firstInsecureUrl(markup: string): string | null {
  if (!markup.toLowerCase().includes('http:')) return null;
  let seen = 0;
  for (const { index } of markup.matchAll(PLAIN_URL)) {
    if (++seen > MAX_PLAIN_URLS) return quoted(markup, index);
    const before = markup.slice(Math.max(0, index - LOOKBEHIND_CHARACTERS), index);
    if (index > 0 && !BEGINS_URL.test(before)) continue;
    if (!NOT_LOADED.some((place) => place.test(before))) return quoted(markup, index);
  }
  return null;
}

/** The URL without its query, which may identify a person. */
export function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** The URL that begins at `index`, unescaped, cut to `MAX_QUOTED_URL_LENGTH` characters. */
function quoted(markup: string, index: number): string {
  const rest = markup.slice(index, index + MAX_QUOTED_URL_LENGTH);
  const end = rest.search(ENDS_URL);
  return (end === -1 ? rest : rest.slice(0, end)).replaceAll('\\/', '/');
}
