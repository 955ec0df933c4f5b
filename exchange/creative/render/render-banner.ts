import { type Creative, formatOfCreative } from '../../strategy/document/creative.ts';
import { attributeText, hiddenPixel } from '../html-text.ts';
import { type Assets, contentsOf, mediaFileOf } from './assets.ts';
import { offersMraid } from './creative-misfit.ts';
import { KeptForCreative } from './kept-for-creative.ts';
import { frameSizeOf, htmlMarkup, mraidMarkup } from './render-html.ts';
import { type Rendered, type RenderTerms, refused } from './terms.ts';

/** What follows our hidden image. */
const markups = new KeptForCreative<string | null>();

/**
 * Banners of every kind. The markup starts with our hidden image (specification, Endpoints on {rtb_url}), those of the
 * campaign come next.
 */
export function renderBanner(creative: Creative, assets: Assets, terms: RenderTerms): Rendered {
  const { imp, device, trackingUrl, edgeUrl } = terms;
  if (imp.banner === undefined) return refused('format-not-offered');
  const format = formatOfCreative(creative);
  if (format === 'mraid' && !offersMraid(imp, device)) return refused('mraid-not-offered');
  const { width, height } = frameSizeOf(creative, imp);
  const shown = markups.get(creative, `${width}x${height}`, [edgeUrl, ...contentsOf(creative, assets)], () => {
    if (format === 'mraid') return tracked(creative, mraidMarkup(creative));
    if (creative.html !== undefined) return tracked(creative, htmlMarkup(creative, { width, height }));
    const image = imageMarkup(creative, assets, edgeUrl);
    return image === null ? null : tracked(creative, image);
  });
  return shown === null ? refused('asset-missing') : { ok: true, adm: hiddenPixel(trackingUrl) + shown };
}

function tracked({ impression_trackers: trackers = [] }: Creative, shown: string): string {
  return trackers.map(hiddenPixel).join('') + shown;
}

function imageMarkup(creative: Creative, assets: Assets, edgeUrl: string): string | null {
  const media = mediaFileOf(assets, creative.image_url, 'image');
  if (media === null) return null;
  const { width = media.width, height = media.height, landing_url: landing, click_trackers: clicks = [] } = creative;
  const size = width === undefined || height === undefined ? '' : ` width="${width}" height="${height}"`;
  const onClick = clicks.length === 0 ? '' : ` onclick="${attributeText(calls(clicks))}"`;
  const image = `<img src="${attributeText(edgeUrl + media.path)}"${size} alt="" style="border:0;display:block"`;
  if (landing === undefined) return `${image}${onClick}>`;
  return `<a href="${attributeText(landing)}" target="_blank" rel="noopener"${onClick}>${image}></a>`;
}

/** The landing page opens beside this one, so that images loaded by the click arrive. */
function calls(urls: readonly string[]): string {
  return `${JSON.stringify(urls)}.forEach(function(u){new Image().src=u})`;
}
