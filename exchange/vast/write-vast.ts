import type { VastAd } from './ad.ts';
import { VAST_NAMESPACE } from './read/xml-fragment.ts';
import { isAtLeast, type VastVersion } from './vast-version.ts';
import type { VastWrapper } from './wrapper.ts';
import type { Inset } from './write/ad-parts.ts';
import { adElement } from './write/write-ad.ts';
import { attributes, escaped, urlElement } from './write/xml-text.ts';

export interface VastTerms {
  readonly version: VastVersion;
}

/**
 * A document of the version that validates against its schema. What the version does not know is left out; what it calls
 * by another name gets that name. An ad with a `sequence` takes its place in a pod (3.0 on), in the order given. A wrapper
 * stays one.
 */
export function writeVast(ads: readonly (VastAd | VastWrapper)[], { version }: VastTerms): string {
  return documentOf(version, ads.map((ad) => adElement(ad, version, insetOf(ad))).join(''));
}

function insetOf(ad: VastAd | VastWrapper): Inset {
  return { impression: '', servingId: escaped((ad.kind === 'inline' && ad.adServingId) || '') };
}

/** No ad; since 4.0 with the URL to call when that is an error of ours. */
export function emptyVast(version: VastVersion, errorUrl?: string): string {
  return documentOf(version, isAtLeast(version, '4.0') ? urlElement('Error', errorUrl) : '');
}

/** One ad that is served again and again: all but what names one serving is written already. */
export interface VastTemplate {
  readonly version: VastVersion;
  /** `trackingUrl` comes before all other impression trackers; `servingId` is the `AdServingId` (4.1 on). */
  fill(trackingUrl: string, servingId: string): string;
}

/** Stand where a serving's own parts go. XML forbids both characters, so that no ad can have them. */
const TRACKING_SLOT = '\ufffe';
const SERVING_SLOT = '\uffff';

export function vastTemplate(ad: VastAd, { version }: VastTerms): VastTemplate {
  const text = documentOf(version, adElement(ad, version, { impression: TRACKING_SLOT, servingId: SERVING_SLOT }));
  const [before = '', rest = ''] = text.split(TRACKING_SLOT);
  const [between = '', after] = rest.split(SERVING_SLOT);
  return {
    version,
    fill: (trackingUrl, servingId) => {
      const start = before + urlElement('Impression', trackingUrl) + between;
      return after === undefined ? start : start + escaped(servingId) + after;
    },
  };
}

/** 2.0 and 3.0 have no namespace, and the later ones must have theirs. */
function documentOf(version: VastVersion, content: string): string {
  const root = attributes({ version, xmlns: isAtLeast(version, '4.0') ? VAST_NAMESPACE : undefined });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<VAST${root}${content === '' ? '/>' : `>${content}</VAST>`}\n`;
}
