import type { Context } from 'koa';

/**
 * What an ad may do that is opened as a document of ours: run its scripts, open what was clicked, replace the page when somebody
 * clicks. `allow-same-origin` is missing, so that its origin is none (HTML, "Sandboxing"): no cookie, no storage and no answer of
 * the host that served it can be read, and what it sends says `Origin: null`. An SVG or XML document runs scripts, too. The JS
 * tag gives its frames the same flags (tag-js/banner.ts).
 */
const AD_POLICY =
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

/** Headers of every answer with markup that a bidder or a buyer wrote, whatever its type. */
export function setUntrustedDocumentHeaders(ctx: Context): void {
  ctx.set('Content-Security-Policy', AD_POLICY);
  ctx.set('X-Content-Type-Options', 'nosniff');
}
