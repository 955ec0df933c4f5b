import type { Context } from 'koa';

/**
 * The permissions of an ad that is opened as a document of the edge: it may run its scripts, open what was clicked, and
 * replace the page when the viewer clicks. `allow-same-origin` is missing, so that it has no origin (HTML,
 * "Sandboxing"): it can read no cookie, no storage and no answer of the host that served it, and its requests have
 * `Origin: null`. SVG and XML documents can run scripts, too. The JS tag gives its frames the same flags
 * (tag-js/banner.ts).
 */
const AD_POLICY =
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

/** Sets the headers of every answer with markup that a bidder or a buyer wrote, whatever its type. */
export function setUntrustedDocumentHeaders(ctx: Context): void {
  ctx.set('Content-Security-Policy', AD_POLICY);
  ctx.set('X-Content-Type-Options', 'nosniff');
}
