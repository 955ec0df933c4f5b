import type { VastAd } from '#exchange/vast/ad';
import { mergeWrappers } from '#exchange/vast/merge-wrappers';
import { readVast } from '#exchange/vast/read-vast';
import type { VastWrapper } from '#exchange/vast/wrapper';
import { CreativeRefused } from '../fetch/failures.ts';

/** Wrappers on the way to an ad at most (specification, "Limits"). */
const MAX_WRAPPERS = 3;

/**
 * A fetched VAST document: its text, and its last URL after redirects, which its relative URIs are resolved against.
 */
export interface VastDocument {
  readonly text: string;
  readonly url: URL;
}

/**
 * Follows a VAST URL through at most 3 wrappers to its ad, and merges the trackers of every level into it. Of several
 * ads in a document, the first that stands alone is used, or else the first of the pod.
 * @throws CreativeRefused when there is no ad, or when a limit is exceeded
 */
export async function unwrap(first: string, read: (url: string) => Promise<VastDocument>): Promise<VastAd> {
  const wrappers: VastWrapper[] = [];
  let url = first;
  for (;;) {
    const document = await read(url);
    const vast = readVast(document.text);
    if (!vast.ok) {
      const because = vast.reason === 'vpaid-unsupported' ? 'vpaid' : 'document';
      throw new CreativeRefused(`leads to a document that cannot be served: ${vast.message}`, because);
    }
    const ad = firstAdOf(vast.ads);
    if (ad.kind === 'inline') {
      assertNotBlocked(ad, wrappers);
      return mergeWrappers(ad, wrappers);
    }
    const outer = wrappers.at(-1);
    if (outer?.followAdditionalWrappers === false) {
      throw new CreativeRefused('leads to a wrapper within a wrapper that allows none');
    }
    if (wrappers.length === MAX_WRAPPERS) {
      throw new CreativeRefused(`leads through more than ${MAX_WRAPPERS} wrappers`, 'wrappers');
    }
    wrappers.push(ad);
    url = resolved(ad.adTagUri, document.url);
  }
}

function firstAdOf(ads: readonly (VastAd | VastWrapper)[]): VastAd | VastWrapper {
  const sequenceOf = (ad: VastAd | VastWrapper) => ad.sequence ?? 0;
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
  return URL.canParse(uri, base.href) ? new URL(uri, base).href : uri;
}
