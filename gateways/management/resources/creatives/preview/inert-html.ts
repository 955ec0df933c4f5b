import { attributeText } from '#exchange/creative/html-text';
import { parseUrl } from '#exchange/parse-url';

/** An HTML document of a bidder's markup that shows what can be shown without running anything or telling anybody. */
export interface InertHtml {
  readonly document: string;
  /** Where its first link led to. */
  readonly landingUrl: string | null;
  /** Whether it had scripts or frames, without which it may show nothing. */
  readonly leftOut: boolean;
}

/** Elements that run something, load another document, or move the viewer elsewhere; none is left. */
const ACTIVE =
  /<(\/?)(?:script|noscript|i?frame|frameset|object|embed|portal|fencedframe|link|base|meta|form)(?=[\s/>])/gi;
const RUNS = /<(?:script|iframe|frame|object|embed)(?=[\s/>])/i;
/** A link would tell the bidder of a click. */
const LINK = /<(\/?)(?:a|area)(?=[\s/>])/gi;
const TAG = /<(img|video|audio|source|a)(\s[^<>]{0,4096})/gi;
const ATTRIBUTE =
  /\s(src|href|poster|width|height|style|hidden)(?![\w-])(?:\s{0,9}=\s{0,9}(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s"'<>]+)))?/gi;
const BACKGROUND = /\burl\(["']?(https?:[^"'()\s<>]{1,2048})/gi;
const STYLED_SIZE = /\b(?:width|height):[0-3](?:\.\d+)?(?:px|;|$)/;
const HIDDEN = /\b(?:display:none|visibility:hidden|opacity:0(?:;|$))/;
/** Pictures are seldom anything but pictures under these names; a GIF without a size is mostly a tracker. */
const PICTURE = /\.(?:jpe?g|png|webp|avif|svg)$/i;
/** The most URLs that a document may load. */
const MOST_URLS = 50;
/** A picture that is stated to be smaller is a tracker. */
const SMALLEST_PX = 4;

/**
 * Makes a bidder's HTML inert. The document loads nothing but the pictures and media that the markup shows: not what is
 * hidden or a few pixels large, nor anything that is not known to be a picture. No script runs and no link leads
 * anywhere.
 */
export function inertHtml(markup: string): InertHtml {
  const urls = new Set<string>();
  let landingUrl: string | null = null;
  for (const [, tag = '', text = ''] of markup.matchAll(TAG)) {
    const attributes = attributesOf(text);
    if (tag.toLowerCase() === 'a') landingUrl ??= httpUrl(attributes.get('href'))?.href ?? null;
    else if (isShown(tag.toLowerCase(), attributes)) {
      addSource(urls, attributes.get('src'));
      addSource(urls, attributes.get('poster'));
    }
  }
  for (const [, url] of markup.matchAll(BACKGROUND)) {
    if (PICTURE.test(httpUrl(url)?.pathname ?? '')) addSource(urls, url);
  }
  const sources = [...urls].slice(0, MOST_URLS).join(' ') || "'none'";
  const policy = `default-src 'none'; img-src data: ${sources}; media-src ${sources}; style-src 'unsafe-inline'`;
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${attributeText(policy.replace("data: 'none'", 'data:'))}">`;
  const body = markup.replace(ACTIVE, '<$1template').replace(LINK, '<$1span');
  return {
    document: `<!doctype html><html lang="en"><head>${head}<title>Preview</title></head><body style="margin:0">${body}</body></html>`,
    landingUrl,
    leftOut: RUNS.test(markup),
  };
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, (double ?? single ?? bare ?? '').replaceAll('&amp;', '&'));
  }
  return found;
}

function isShown(tag: string, attributes: ReadonlyMap<string, string>): boolean {
  const style = (attributes.get('style') ?? '').replace(/\s/g, '').toLowerCase();
  if (attributes.has('hidden') || HIDDEN.test(style) || STYLED_SIZE.test(style)) return false;
  if (tag !== 'img') return true;
  const sizes = ['width', 'height'].map((name) => attributes.get(name));
  if (sizes.some((size) => size !== undefined && Number.parseFloat(size) < SMALLEST_PX)) return false;
  if (sizes.every((size) => size !== undefined)) return true;
  return PICTURE.test(httpUrl(attributes.get('src'))?.pathname ?? '');
}

/** Adds a source of a Content Security Policy: the URL without its query, with what would end the source encoded. */
function addSource(urls: Set<string>, text: string | undefined): void {
  const url = httpUrl(text);
  if (url === null) return;
  const path = url.pathname.replaceAll(';', '%3B').replaceAll(',', '%2C').replaceAll("'", '%27');
  // A path that ends with a slash would stand for all below it.
  if (!path.endsWith('/')) urls.add(url.origin + path);
}

function httpUrl(text: string | undefined): URL | null {
  const trimmed = text?.trim() ?? '';
  const absolute = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed;
  return /^https?:\/\//i.test(absolute) ? parseUrl(absolute) : null;
}
