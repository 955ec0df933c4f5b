import type { Imp } from '../../openrtb/fields/imp.ts';
import type { Creative } from '../../strategy/document/creative.ts';
import { attributeText, scriptLiteral } from '../html-text.ts';
import { asksForMraid } from './asks-for-mraid.ts';

/** What an ad may do in its frame: run, and open pages when it is clicked; never reach the page around it. */
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

/**
 * Markup of a buyer, as it is, in a frame of its own origin: it may be a whole document, it may leave tags open, and it is
 * no part of the publisher's page. Its size goes between the two parts.
 */
export function htmlMarkup(creative: Creative): { readonly before: string; readonly after: string } {
  const document = attributeText(withScript(creative.html ?? '', clickScript(creative)));
  return {
    before: '<iframe',
    after: ` sandbox="${SANDBOX}" scrolling="no" style="border:0;display:block" srcdoc="${document}"></iframe>`,
  };
}

/** The frame's: of the creative, else what the imp offers first. */
export function frameSize(creative: Creative, { banner }: Imp): string {
  const offered = banner?.w && banner.h ? banner : banner?.format?.find(({ w, h }) => w && h);
  return ` width="${creative.width ?? offered?.w ?? '100%'}" height="${creative.height ?? offered?.h ?? '100%'}"`;
}

/**
 * MRAID 3.0 §4.1: the ad asks for the container's script by the name `mraid.js` before anything else of its own runs. It
 * is the container's document, so that no frame may stand between.
 */
export function mraidMarkup(creative: Creative): string {
  const html = creative.html ?? '';
  return (asksForMraid(html) ? '' : '<script src="mraid.js"></script>') + clickScript(creative) + html;
}

/** The landing page under the name that HTML5 ads know it by, and the click trackers, called at the first click. */
function clickScript({ landing_url: landing, click_trackers: clicks = [] }: Creative): string {
  const tag = landing === undefined ? '' : `window.clickTag=${scriptLiteral(landing)};`;
  const calls =
    clicks.length === 0
      ? ''
      : `addEventListener("click",function(){${scriptLiteral(clicks)}.forEach(function(u){new Image().src=u})},{capture:true,once:true});`;
  return tag + calls === '' ? '' : `<script>${tag}${calls}</script>`;
}

const DOCTYPE = /^\s*<!doctype\b[^>]*>/i;

/** A script after the document type and before all else: one before it would put the browser into quirks mode. */
function withScript(html: string, script: string): string {
  const doctype = DOCTYPE.exec(html)?.[0];
  if (doctype !== undefined) return doctype + script + html.slice(doctype.length);
  return `<!doctype html>${script}<style>body{margin:0}</style>${html}`;
}
