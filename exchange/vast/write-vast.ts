import type { ViewabilityUrl } from '../creative/viewability-url.ts';
import type { VastAd } from './ad.ts';
import { VAST_NAMESPACE } from './read/xml-fragment.ts';
import { isAtLeast, type VastVersion } from './vast-version.ts';
import type { VastWrapper } from './wrapper.ts';
import { type InjectedViewability, type Inset, NO_VIEWABILITY } from './write/inset.ts';
import { adElement } from './write/write-ad.ts';
import { attributes, escaped, urlElement } from './write/xml-text.ts';

export interface VastTerms {
  readonly version: VastVersion;
}

/**
 * Writes a document that validates against the schema of its version. Parts that the version does not know are left
 * out, and parts with another name there get that name. An ad with a `sequence` takes its place in a pod (3.0 on), in
 * the given order. A wrapper stays one.
 */
export function writeVast(ads: readonly (VastAd | VastWrapper)[], { version }: VastTerms): string {
  return documentOf(version, ads.map((ad) => adElement(ad, version, insetOf(ad))).join(''));
}

function insetOf(ad: VastAd | VastWrapper): Inset {
  return { impression: '', servingId: escaped((ad.kind === 'inline' && ad.adServingId) || ''), views: NO_VIEWABILITY };
}

/** A document without an ad; since 4.0 it has the URL that is called for the error. */
export function emptyVast(version: VastVersion, errorUrl?: string): string {
  return documentOf(version, isAtLeast(version, '4.0') ? urlElement('Error', errorUrl) : '');
}

/**
 * The document of an ad that is served repeatedly: everything is written in advance, except what differs in each
 * serving.
 */
export interface VastTemplate {
  readonly version: VastVersion;
  /**
   * Completes the document. `trackingUrl` comes before all other impression trackers, the URLs of `viewUrl` before all
   * other viewability trackers (4.0 on), and `servingId` is the `AdServingId` (4.1 on).
   */
  fill(trackingUrl: string, servingId: string, viewUrl?: ViewabilityUrl): string;
}

/**
 * Encloses the name of a placeholder for what differs in each serving. XML forbids the character, so that no ad can
 * contain it.
 */
const PLACEHOLDER_MARK = '\ufffe';

type PlaceholderName = 'impression' | 'servingId' | keyof InjectedViewability;

function placeholder(name: PlaceholderName): string {
  return PLACEHOLDER_MARK + name + PLACEHOLDER_MARK;
}

const PLACEHOLDERS: Inset = {
  impression: placeholder('impression'),
  servingId: placeholder('servingId'),
  views: {
    whole: placeholder('whole'),
    viewable: placeholder('viewable'),
    notViewable: placeholder('notViewable'),
    undetermined: placeholder('undetermined'),
  },
};

export function vastTemplate(ad: VastAd, { version }: VastTerms): VastTemplate {
  /** Text and names of placeholders in turn. */
  const parts = documentOf(version, adElement(ad, version, PLACEHOLDERS)).split(PLACEHOLDER_MARK);
  return {
    version,
    fill: (trackingUrl, servingId, viewUrl) => {
      let document = parts[0]!;
      for (let at = 1; at < parts.length; at += 2) {
        document += filled(parts[at] as PlaceholderName, trackingUrl, servingId, viewUrl) + parts[at + 1]!;
      }
      return document;
    },
  };
}

function filled(
  name: PlaceholderName,
  trackingUrl: string,
  servingId: string,
  viewUrl: ViewabilityUrl | undefined,
): string {
  if (name === 'impression') return urlElement('Impression', trackingUrl);
  if (name === 'servingId') return escaped(servingId);
  if (viewUrl === undefined) return '';
  const viewable = () => viewabilityElement('Viewable', viewUrl('viewable'));
  const notViewable = () => viewabilityElement('NotViewable', viewUrl('not_viewable'));
  const undetermined = () => viewabilityElement('ViewUndetermined', viewUrl('undetermined'));
  switch (name) {
    case 'viewable':
      return viewable();
    case 'notViewable':
      return notViewable();
    case 'undetermined':
      return undetermined();
    case 'whole':
      return `<ViewableImpression>${viewable()}${notViewable()}${undetermined()}</ViewableImpression>`;
  }
}

/**
 * Writes a viewability tracker. Its URL is the exchange's own, in which everything that XML or a URL forbids is
 * percent-encoded, so it is written as it is.
 */
function viewabilityElement(name: string, url: string): string {
  return `<${name}><![CDATA[${url}]]></${name}>`;
}

/** Writes the root element: 2.0 and 3.0 have no namespace, and later versions must have theirs. */
function documentOf(version: VastVersion, content: string): string {
  const root = attributes({ version, xmlns: isAtLeast(version, '4.0') ? VAST_NAMESPACE : undefined });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<VAST${root}${content === '' ? '/>' : `>${content}</VAST>`}\n`;
}
