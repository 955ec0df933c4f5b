import { parseUrl } from '#exchange/parse-url';
import type { VastAd } from '#exchange/vast/ad';
import { mergeWrappers } from '#exchange/vast/merge-wrappers';
import { readVast, type VastFault } from '#exchange/vast/read-vast';
import type { VastWrapper } from '#exchange/vast/wrapper';
import { CreativeRefused } from '../fetch/failures.ts';

/** Wrappers on the way to an ad at most (specification, "Limits"). */
const MAX_WRAPPERS = 3;
/** Ads that markup leads to at most; a break has fewer. */
const MAX_ADS = 10;

/**
 * A fetched VAST document: its text, and its last URL after redirects, which its relative URIs are resolved against.
 */
export interface VastDocument {
  readonly text: string;
  readonly url: URL;
}

/** Reads the document at a URL. `from`: the document whose wrapper names the URL; null for the first. */
export type ReadDocument<D extends VastDocument> = (url: string, from: D | null) => Promise<D>;

/**
 * Follows a VAST URL through at most 3 wrappers to its ad, and merges the trackers of every level into it. Of several
 * ads in a document, the first that stands alone is used, or else the first of the pod.
 * @throws CreativeRefused when there is no ad, or when a limit is exceeded
 */
export async function unwrap(first: string, read: ReadDocument<VastDocument>): Promise<VastAd> {
  const [ad] = await follow(first, read, ({ ads }) => [firstAdOf(ads)]);
  return ad!;
}

/**
 * Follows a VAST URL, as {@link unwrap} does, to each ad that a player may show: all of the first document, and all
 * behind a wrapper that allows several; behind any other the one that {@link unwrap} would use.
 * @throws CreativeRefused when one of them cannot be served, or when a limit is exceeded
 */
export function unwrapAll<D extends VastDocument>(first: string, read: ReadDocument<D>): Promise<VastAd[]> {
  return follow(first, read, ({ ads, leftOut }, outer) => {
    if (outer?.allowMultipleAds === false) return [firstAdOf(ads)];
    if (leftOut !== null) throw refused('leads to a document with an ad that cannot be served', leftOut);
    return ads;
  });
}

type ReadAds = Extract<ReturnType<typeof readVast>, { ok: true }>;
type Ad = ReadAds['ads'][number];

async function follow<D extends VastDocument>(
  first: string,
  read: ReadDocument<D>,
  chosen: (vast: ReadAds, outer: VastWrapper | undefined) => readonly Ad[],
): Promise<VastAd[]> {
  const found: VastAd[] = [];
  const ahead: { url: string; from: D | null; wrappers: readonly VastWrapper[] }[] = [
    { url: first, from: null, wrappers: [] },
  ];
  for (let step = ahead.shift(); step !== undefined; step = ahead.shift()) {
    const { url, from, wrappers } = step;
    const document = await read(url, from);
    const vast = readVast(document.text);
    if (!vast.ok) throw refused('leads to a document that cannot be served', vast);
    const outer = wrappers.at(-1);
    for (const ad of chosen(vast, outer)) {
      if (ad.kind === 'inline') {
        assertNotBlocked(ad, wrappers);
        found.push(mergeWrappers(ad, wrappers));
        continue;
      }
      if (outer?.followAdditionalWrappers === false) {
        throw new CreativeRefused('leads to a wrapper within a wrapper that allows none');
      }
      if (wrappers.length === MAX_WRAPPERS) {
        throw new CreativeRefused(`leads through more than ${MAX_WRAPPERS} wrappers`, 'wrappers');
      }
      ahead.push({ url: resolved(ad.adTagUri, document.url), from: document, wrappers: [...wrappers, ad] });
    }
    if (found.length + ahead.length > MAX_ADS) {
      throw new CreativeRefused(`leads to more than ${MAX_ADS} ads`, 'document');
    }
  }
  return found;
}

function refused(what: string, { reason, message }: VastFault): CreativeRefused {
  return new CreativeRefused(`${what}: ${message}`, reason === 'vpaid-unsupported' ? 'vpaid' : 'document');
}

function firstAdOf(ads: readonly Ad[]): Ad {
  const sequenceOf = (ad: Ad) => ad.sequence ?? 0;
  const [first] = [...ads].sort((one, other) => sequenceOf(one) - sequenceOf(other));
  if (first === undefined) throw new CreativeRefused('leads to a VAST document without an ad');
  return first;
}

/** VAST 4.2 §3.19.2: an ad whose category one of its wrappers blocks must not be shown. */
function assertNotBlocked(ad: VastAd, wrappers: readonly VastWrapper[]): void {
  const blocked = wrappers.flatMap((wrapper) => wrapper.blockedAdCategories);
  const category = ad.categories.find(({ code }) => blocked.some((one) => one.code === code));
  if (category) throw new CreativeRefused(`leads to an ad of category ${category.code}, which a wrapper of it blocks`);
}

function resolved(uri: string, base: URL): string {
  return parseUrl(uri, base)?.href ?? uri;
}
