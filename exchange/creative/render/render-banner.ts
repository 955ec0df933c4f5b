import type { Creative } from '../../strategy/document/creative.ts';
import { attributeText, hiddenPixel } from '../html-text.ts';
import { type Assets, mediaFileOf } from './assets.ts';
import { renderHtml } from './render-html.ts';
import { type Rendered, type RenderTerms, refused } from './terms.ts';

/** The markup of a banner starts with our hidden image (specification, Endpoints on {rtb_url}). */
export function renderBanner(creative: Creative, assets: Assets, terms: RenderTerms): Rendered {
  if (terms.imp.banner === undefined) return refused('format-not-offered');
  const shown = creative.html === undefined ? imageMarkup(creative, assets, terms) : renderHtml(creative, terms.imp);
  if (shown === null) return refused('asset-missing');
  return { ok: true, adm: hiddenPixel(terms.trackingUrl) + trackerPixels(creative) + shown };
}

export function trackerPixels({ impression_trackers: trackers = [] }: Creative): string {
  return trackers.map(hiddenPixel).join('');
}

function imageMarkup(creative: Creative, assets: Assets, { edgeUrl }: RenderTerms): string | null {
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
