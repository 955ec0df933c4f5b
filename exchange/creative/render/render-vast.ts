import type { AdFormat } from '../../auction/ad-format.ts';
import type { Imp } from '../../openrtb/bid-request.ts';
import type { Creative } from '../../strategy/document/creative.ts';
import type { VastAd } from '../../vast/ad.ts';
import { mapMedia } from '../../vast/media.ts';
import { newestAllowed, protocolOf, type VastVersion } from '../../vast/vast-version.ts';
import { type VastTemplate, vastTemplate } from '../../vast/write-vast.ts';
import type { Assets } from './assets.ts';
import { servedAd, sourceAd } from './served-ad.ts';
import { type Rendered, type RenderTerms, refused } from './terms.ts';

/** Video and audio: VAST in the newest version that the imp's `protocols` allow. */
export function renderVast(creative: Creative, assets: Assets, terms: RenderTerms): Rendered {
  const { format, imp, trackingUrl, servingId, edgeUrl } = terms;
  const asked = format === 'audio' ? imp.audio : imp.video;
  if (asked === undefined) return refused('format-not-offered');
  const version = newestAllowed(asked.protocols);
  if (version === null) return refused('version-not-allowed');
  const template = templateOf(creative, assets, version, edgeUrl);
  return template === null ? refused('asset-missing') : { ok: true, adm: template.fill(trackingUrl, servingId) };
}

/** `bid.protocol` of what would be rendered; undefined for what is not VAST. */
export function protocolOffered(imp: Imp, format: AdFormat): number | undefined {
  if (format !== 'video' && format !== 'audio') return undefined;
  const version = newestAllowed(imp[format]?.protocols);
  return version === null ? undefined : protocolOf(version);
}

interface KeptTemplate {
  /** What it was made of: these very objects. */
  readonly made: readonly unknown[];
  readonly template: VastTemplate;
}

const kept = new WeakMap<Creative, Map<VastVersion, KeptTemplate>>();

function templateOf(creative: Creative, assets: Assets, version: VastVersion, edgeUrl: string): VastTemplate | null {
  const made = [edgeUrl, ...[creative.vast_url, creative.audio_url, creative.image_url].map((url) => contentOf(url))];
  const ofCreative = kept.get(creative) ?? new Map<VastVersion, KeptTemplate>();
  const known = ofCreative.get(version);
  if (known?.made.every((part, index) => part === made[index])) return known.template;
  const source = sourceAd(creative, assets);
  if (source === null) return null;
  const template = vastTemplate(hostedAt(servedAd(creative, source), edgeUrl), { version });
  ofCreative.set(version, { made, template });
  kept.set(creative, ofCreative);
  return template;

  function contentOf(url: string | undefined): unknown {
    return url === undefined ? undefined : assets.get(url)?.content;
  }
}

/** Media that are hosted here, under the edge's public URL. */
function hostedAt(ad: VastAd, edgeUrl: string): VastAd {
  return mapMedia(ad, (url) => (url.startsWith('/') ? edgeUrl + url : url));
}
