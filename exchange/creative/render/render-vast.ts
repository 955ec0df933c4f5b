import type { AdFormat } from '../../auction/ad-format.ts';
import type { Imp } from '../../openrtb/fields/imp.ts';
import type { Creative } from '../../strategy/document/creative.ts';
import type { VastAd } from '../../vast/ad.ts';
import { mapMedia } from '../../vast/media.ts';
import { newestAllowed, PROTOCOLS, type VastVersion } from '../../vast/vast-version.ts';
import { type VastTemplate, vastTemplate } from '../../vast/write-vast.ts';
import { adForCreative, sourceAd } from './ad-for-creative.ts';
import { type AssetLookup, contentsOf } from './assets.ts';
import { CreativeCache } from './creative-cache.ts';
import { type RenderContext, type RenderResult, refuseRender } from './render-context.ts';

/** Renders video and audio as VAST of the newest version that the imp's `protocols` allow. */
export function renderVast(creative: Creative, assets: AssetLookup, terms: RenderContext): RenderResult {
  const { format, imp, trackingUrl, servingId, edgeUrl } = terms;
  // Audio has no viewability.
  const viewUrl = format === 'audio' ? undefined : terms.viewUrl;
  const asked = format === 'audio' ? imp.audio : imp.video;
  if (asked === undefined) return refuseRender('format-not-offered');
  const version = newestAllowed(asked.protocols);
  if (version === null) return refuseRender('version-not-allowed');
  const template = templateOf(creative, assets, version, edgeUrl);
  if (template === null) return refuseRender('asset-missing');
  return { ok: true, adm: template.fill(trackingUrl, servingId, viewUrl) };
}

/** The `bid.protocol` of the document that would be rendered; undefined for formats other than VAST. */
export function protocolOffered(imp: Imp, format: AdFormat): number | undefined {
  if (format !== 'video' && format !== 'audio') return undefined;
  const version = newestAllowed(imp[format]?.protocols);
  return version === null ? undefined : PROTOCOLS[version].inline;
}

const templates = new CreativeCache<VastTemplate | null>();

function templateOf(
  creative: Creative,
  assets: AssetLookup,
  version: VastVersion,
  edgeUrl: string,
): VastTemplate | null {
  return templates.get(creative, version, [edgeUrl, ...contentsOf(creative, assets)], () => {
    const source = sourceAd(creative, assets);
    return source === null ? null : vastTemplate(hostedAt(adForCreative(creative, source), edgeUrl), { version });
  });
}

/** Prefixes the paths of hosted media with the edge's public URL. */
function hostedAt(ad: VastAd, edgeUrl: string): VastAd {
  return mapMedia(ad, (url) => (url.startsWith('/') ? edgeUrl + url : url));
}
