import { mapLimit } from '#async/map-limit';
import type { MediaFacts } from '#exchange/creative/media-facts';
import { bannerWarnings } from '#exchange/creative/warnings/banner';
import { parseUrl } from '#exchange/parse-url';
import type { MarkupReader, ReadingQuestion } from './html/markup-reader.ts';
import type { HtmlReading, HtmlResource } from './html/read-html.ts';
import { isPerAuction } from './sample-values.ts';
import type { ScanLoad } from './scan-load.ts';
import { registrableDomain } from './scan-trail.ts';
import type { ScannedMarkup } from './scanned-markup.ts';
import { insecure } from './unwrap-markup.ts';

/** What one scan loads of the scripts, frames and images that markup names. */
const MAX_SCRIPTS = 10;
const MAX_SCRIPT_BYTES = 512 * 1024;
const MAX_FRAMES = 3;
const MAX_FRAME_BYTES = 512 * 1024;
const MAX_IMAGES = 20;
const LOADS_AT_ONCE = 4;
/** An HTML5 ad with all that it loads (specification, "Creative specifications"). */
const MAX_HTML5_BYTES = 2 * 1024 * 1024;

export interface HtmlDeps {
  readonly reader: Pick<MarkupReader, 'read'>;
}

export interface ScannedHtml extends ScannedMarkup {
  /** Null where the markup breaks its reader. */
  readonly reading: HtmlReading | null;
}

/**
 * Scans HTML: what it loads, what its scripts say, where a click leads. Pixels are not called, since they count views;
 * nothing of it is run. Once a text takes the reader too long, further ones are not read: other creatives wait for it.
 */
export async function scanHtml(
  { reader }: HtmlDeps,
  load: ScanLoad,
  markup: string,
  sizes: readonly string[],
  stop: AbortSignal,
): Promise<ScannedHtml> {
  insecure(load, markup);
  let isTooSlow = false;
  const read = async (question: ReadingQuestion, url: string | null): Promise<HtmlReading | null> => {
    if (isTooSlow) return null;
    let reading: HtmlReading | null = null;
    try {
      reading = await reader.read(question, stop);
    } catch (error) {
      stop.throwIfAborted();
      load.fails(url ?? '', error);
      isTooSlow = true;
      return null;
    }
    if (reading === null) load.findings.add('unreadable-markup', 'It could not be read.', url);
    for (const { code, what } of reading?.signs ?? []) load.findings.add(code, sentence(what), url);
    return reading;
  };
  const reading = await read({ kind: 'html', text: markup }, null);
  const found = new ResourceQueue();
  found.take(reading, null);
  const links = [...(reading?.links ?? [])];
  let bytes = 0;
  for (let frames = 0, scripts = 0; ; ) {
    const next = found.next();
    if (next === null) break;
    const isFrame = next.kind === 'frame';
    if (isFrame ? ++frames > MAX_FRAMES : ++scripts > MAX_SCRIPTS) continue;
    const loaded = await load.text(next.url, isFrame ? MAX_FRAME_BYTES : MAX_SCRIPT_BYTES);
    if (loaded === null) continue;
    bytes += loaded.text.length;
    const inner = await read({ kind: isFrame ? 'html' : 'script', text: loaded.text }, next.url);
    found.take(inner, loaded.url);
    if (isFrame) links.push(...(inner?.links ?? []));
  }
  for (const address of found.unasked) {
    const url = parseUrl(address);
    if (url !== null) load.domain(registrableDomain(url));
  }
  const images = found.images.slice(0, MAX_IMAGES);
  const media: MediaFacts[] = [];
  await mapLimit(images, LOADS_AT_ONCE, async (url) => {
    const file = await load.file(url, 'image');
    if (file === null) return;
    bytes += file.staged.bytes;
    media.push({ use: 'image', bytes: file.staged.bytes, ...(file.facts ?? { container: null }) });
  });
  const isImage = media.length === 1 && found.isImageAlone;
  return {
    reading,
    media,
    wrappers: 0,
    links,
    warnings: warningsOf(markup, sizes, isImage ? media[0] : undefined, bytes),
  };
}

function* warnings(
  markup: string,
  sizes: readonly string[],
  image: MediaFacts | undefined,
  bytes: number,
): Generator<string> {
  const [width, height] = (sizes[0] ?? '').split('x').map(Number);
  const size = width && height ? { width, height } : {};
  yield* bannerWarnings(size, image);
  if (Buffer.byteLength(markup) + bytes > MAX_HTML5_BYTES) yield 'html5_oversized';
}

function warningsOf(...given: Parameters<typeof warnings>): string[] {
  return [...warnings(...given)];
}

/** The addresses that markup names, absolute, each once, by what is done with them. */
class ResourceQueue {
  readonly #seen = new Set<string>();
  readonly #texts: { readonly url: string; readonly kind: 'script' | 'frame' }[] = [];
  readonly images: string[] = [];
  /** Those that are not asked: pixels, which count views, and what is too large to be looked into. */
  readonly unasked: string[] = [];
  isImageAlone = true;

  take(reading: HtmlReading | null, base: URL | null): void {
    for (const resource of reading?.resources ?? []) this.#sort(resource, base);
  }

  next(): { readonly url: string; readonly kind: 'script' | 'frame' } | null {
    return this.#texts.shift() ?? null;
  }

  #sort({ url: written, kind, isPixel }: HtmlResource, base: URL | null): void {
    const url = absolute(written, base);
    if (url === null || this.#seen.has(url)) return;
    this.#seen.add(url);
    if (kind !== 'image') this.isImageAlone = false;
    if (kind === 'script' || kind === 'frame') this.#texts.push({ url, kind });
    else if (kind === 'image' && !isPixel && !isPerAuction(url)) this.images.push(url);
    else this.unasked.push(url);
  }
}

/** An address as a page of https would ask it; null for one that leads nowhere from there. */
export function absolute(url: string, base: URL | null): string | null {
  if (url.startsWith('//')) return `https:${url}`;
  if (/^https?:\/\//i.test(url)) return url;
  return base === null ? null : (parseUrl(url, base)?.href ?? null);
}

function sentence(what: string): string {
  return `${what[0]!.toUpperCase()}${what.slice(1)}.`;
}
