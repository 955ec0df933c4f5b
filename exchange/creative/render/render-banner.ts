import { type Creative, formatOfCreative } from '../../strategy/document/creative.ts';
import { offersMraid } from '../../strategy/offers-mraid.ts';
import { attributeText, hiddenPixel } from '../html-text.ts';
import { type AssetLookup, contentsOf, mediaFileOf } from './assets.ts';
import { CreativeCache } from './creative-cache.ts';
import { type RenderContext, type RenderResult, refuseRender } from './render-context.ts';
import { frameSize, htmlMarkup, mraidMarkup } from './render-html.ts';

/** The markup behind the hidden image; the frame's size is inserted between the two parts. */
interface BannerMarkup {
  readonly before: string;
  readonly after: string;
  readonly framed: boolean;
}

const markups = new CreativeCache<BannerMarkup | null>();

/**
 * Renders banners of every kind. The markup starts with the exchange's hidden image (specification, Endpoints on
 * {rtb_url}); the campaign's images follow.
 */
export function renderBanner(creative: Creative, assets: AssetLookup, terms: RenderContext): RenderResult {
  const { imp, device, trackingUrl, edgeUrl } = terms;
  if (imp.banner === undefined) return refuseRender('format-not-offered');
  if (formatOfCreative(creative) === 'mraid' && !offersMraid(imp, device)) return refuseRender('mraid-not-offered');
  const made = markups.get(creative, '', [edgeUrl, ...contentsOf(creative, assets)], () =>
    bannerMarkup(creative, assets, edgeUrl),
  );
  if (made === null) return refuseRender('asset-missing');
  const size = made.framed ? frameSize(creative, imp) : '';
  return { ok: true, adm: hiddenPixel(trackingUrl) + made.before + size + made.after };
}

function bannerMarkup(creative: Creative, assets: AssetLookup, edgeUrl: string): BannerMarkup | null {
  const trackers = (creative.impression_trackers ?? []).map(hiddenPixel).join('');
  if (formatOfCreative(creative) === 'mraid') return { before: trackers, after: mraidMarkup(creative), framed: false };
  if (creative.html !== undefined) {
    const { before, after } = htmlMarkup(creative);
    return { before: trackers + before, after, framed: true };
  }
  const image = imageMarkup(creative, assets, edgeUrl);
  return image === null ? null : { before: trackers, after: image, framed: false };
}

function imageMarkup(creative: Creative, assets: AssetLookup, edgeUrl: string): string | null {
  const media = mediaFileOf(assets, creative.image_url, 'image');
  if (media === null) return null;
  const { width = media.width, height = media.height, landing_url: landing, click_trackers: clicks = [] } = creative;
  const size = width === undefined || height === undefined ? '' : ` width="${width}" height="${height}"`;
  const onClick = clicks.length === 0 ? '' : ` onclick="${attributeText(calls(clicks))}"`;
  const image = `<img src="${attributeText(edgeUrl + media.path)}"${size} alt="" style="border:0;display:block"`;
  if (landing === undefined) return `${image}${onClick}>`;
  return `<a href="${attributeText(landing)}" target="_blank" rel="noopener"${onClick}>${image}></a>`;
}

/**
 * A script that calls URLs by images. The landing page opens in another window, so that the calls of a click are not
 * cut off.
 */
function calls(urls: readonly string[]): string {
  return `${JSON.stringify(urls)}.forEach(function(u){new Image().src=u})`;
}
