import type { VastAd } from '../../../exchange/vast/ad.ts';
import { mergeWrappers } from '../../../exchange/vast/merge-wrappers.ts';
import { readVast } from '../../../exchange/vast/read-vast.ts';
import type { VastWrapper } from '../../../exchange/vast/wrapper.ts';
import { CreativeRefused } from '../fetch/failures.ts';

/** Specification, "Limits": VAST wrapper depth. */
const MAX_WRAPPERS = 3;

/** One fetched document: its text, and where it was in the end, which is what its relative URIs are relative to. */
export interface VastDocument {
  readonly text: string;
  readonly url: URL;
}

/**
 * The ad that a VAST URL leads to, through at most three wrappers, with what every level of them wants called. Of several
 * ads in a document, the first that stands alone, or the first of a pod, is the one.
 * @throws CreativeRefused when there is none, or when a limit stands in the way
 */
export async function unwrap(first: string, read: (url: string) => Promise<VastDocument>): Promise<VastAd> {
  const wrappers: VastWrapper[] = [];
  let url = first;
  for (;;) {
    const document = await read(url);
    const vast = readVast(document.text);
    if (!vast.ok) throw new CreativeRefused(`leads to a document that cannot be served: ${vast.message}`);
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
      throw new CreativeRefused(`leads through more than ${MAX_WRAPPERS} wrappers`);
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

/** VAST 4.2 §3.19.2: an ad of a category that one of its wrappers blocks is not to be shown. */
function assertNotBlocked(ad: VastAd, wrappers: readonly VastWrapper[]): void {
  const blocked = wrappers.flatMap((wrapper) => wrapper.blockedAdCategories);
  const category = ad.categories.find(({ code }) => blocked.some((one) => one.code === code));
  if (category) throw new CreativeRefused(`leads to an ad of category ${category.code}, which a wrapper of it blocks`);
}

function resolved(uri: string, base: URL): string {
  return URL.canParse(uri, base.href) ? new URL(uri, base).href : uri;
}
