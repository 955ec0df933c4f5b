import type { Imp } from '../../openrtb/fields/imp.ts';
import type { Creative } from '../../strategy/document/creative.ts';
import { attributeText, scriptLiteral } from '../html-text.ts';
import { asksForMraid } from './asks-for-mraid.ts';

/**
 * The rights of an ad in its frame: it may run scripts, and open pages when it is clicked; it can never reach the page
 * around it.
 */
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

/**
 * Puts a buyer's markup, unchanged, into a frame with its own origin. It may be a whole document, it may leave tags
 * open, and it is not part of the publisher's page. The frame's size is inserted between the two parts.
 */
export function htmlMarkup(creative: Creative): { readonly before: string; readonly after: string } {
  const document = attributeText(withScript(creative.html ?? '', clickScript(creative)));
  return {
    before: '<iframe',
    after: ` sandbox="${SANDBOX}" scrolling="no" style="border:0;display:block" srcdoc="${document}"></iframe>`,
  };
}

/** The size of the frame: the creative's, else the first that the imp offers. */
export function frameSize(creative: Creative, { banner }: Imp): string {
  const offered = banner?.w && banner.h ? banner : banner?.format?.find(({ w, h }) => w && h);
  return ` width="${creative.width ?? offered?.w ?? '100%'}" height="${creative.height ?? offered?.h ?? '100%'}"`;
}

/**
 * MRAID 3.0 §4.1: the ad loads the container's script by the name `mraid.js` before any other script of its own. It
 * must be the container's document, so no frame is put around it.
 */
export function mraidMarkup(creative: Creative): string {
  const html = creative.html ?? '';
  return (asksForMraid(html) ? '' : '<script src="mraid.js"></script>') + clickScript(creative) + html;
}

/**
 * The script that sets the landing page under the name that HTML5 ads use (`clickTag`), and calls the click trackers at
 * the first click.
 */
function clickScript({ landing_url: landing, click_trackers: clicks = [] }: Creative): string {
  const tag = landing === undefined ? '' : `window.clickTag=${scriptLiteral(landing)};`;
  const calls =
    clicks.length === 0
      ? ''
      : `addEventListener("click",function(){${scriptLiteral(clicks)}.forEach(function(u){new Image().src=u})},{capture:true,once:true});`;
  return tag + calls === '' ? '' : `<script>${tag}${calls}</script>`;
}

const DOCTYPE = /^\s*<!doctype\b[^>]*>/i;

/**
 * Inserts a script behind the document type and before everything else: before the document type, it would put the
 * browser into quirks mode.
 */
function withScript(html: string, script: string): string {
  const doctype = DOCTYPE.exec(html)?.[0];
  if (doctype !== undefined) return doctype + script + html.slice(doctype.length);
  return `<!doctype html>${script}<style>body{margin:0}</style>${html}`;
}
