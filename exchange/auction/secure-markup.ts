/** What begins a URL in HTML, CSS, XML text or JSON: a quote, a bracket, `>`, white space or `attribute=`. */
const PLAIN_URL = /(?:["'(>[\s]|&quot;|\b[\w-]+\s*=)\s*http:(?:\/\/|\\\/\\\/)/gi;

/** How far back the place is looked for that a URL stands in. */
const REACH = 200;

/** Places that name something, or that a person has to click to go to: nothing is loaded from there. */
const NOT_LOADED = [
  /\bxmlns(?::[\w-]+)?\s*=\s*\\?["']?$/i,
  /\b(?:schemaLocation|DOCTYPE)\b[^<>]*$/i,
  /<a\b[^<>]*\bhref\s*=\s*\\?["']?$/i,
  /<(?:[\w-]+:)?(?:\w*ClickThrough)\b[^<>]*>\s*(?:<!\[CDATA\[\s*)?$/i,
  /"link"\s*:\s*\{[^{}]*"url"\s*:\s*$/i,
];

/**
 * Whether markup loads something over plain HTTP, which an imp with `secure: 1` forbids (OpenRTB 2.6 §3.2.4): a
 * resource, a tracker, a media file, a wrapped VAST document. Landing pages may be plain, and so may XML namespaces,
 * which are names. A plain URL inside another URL's query is that other server's matter.
 */
export function loadsInsecurely(markup: string): boolean {
  if (!/http:/i.test(markup)) return false;
  for (const match of markup.matchAll(PLAIN_URL)) {
    const urlStart = match.index + match[0].toLowerCase().lastIndexOf('http:');
    const before = markup.slice(Math.max(0, urlStart - REACH), urlStart);
    if (/[?&;][^"'\s<>()]*=$/.test(before)) continue;
    // For JSON the quote before the URL stands between it and its key.
    const place = before.replace(/\\?["']$/, '');
    if (!NOT_LOADED.some((pattern) => pattern.test(before) || pattern.test(place))) return true;
  }
  return false;
}
