import type { OriginRules } from '../shell/own-origins.ts';

/** What tells whether a browser asks on behalf of another site. */
export interface RequestHead {
  readonly method: string;
  /** A header's value, '' when absent. */
  header(name: string): string;
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a browser sends this on behalf of a site that may not act in its user's name (cross-site request forgery). The
 * algorithm is that of Go's `http.CrossOriginProtection`: what every current browser says in `Sec-Fetch-Site` decides;
 * for older ones, that the host of `Origin` is the one that was asked; a request with neither comes from no browser, and
 * has no cookies to be abused. Pages of an origin that serves ads are refused before, whatever else the request says.
 */
export function isCrossSiteForgery({ method, header }: RequestHead, { isTrusted, servesAds }: OriginRules): boolean {
  if (safeMethods.has(method)) return false;
  const origin = header('Origin');
  if (servesAds(origin)) return true;
  const site = header('Sec-Fetch-Site');
  if (site === 'same-origin' || site === 'none') return false;
  if (isTrusted(origin)) return false;
  if (site !== '') return true;
  return origin !== '' && !isHost(origin, header('Host'));
}

/**
 * Whether a page of another site opens this WebSocket: browsers send their cookies with the request for one to any host, from any
 * page, and always its `Origin` (RFC 6455 §10.2). Without an `Origin` it is no browser's, and a cookie is not to be believed.
 */
export function isCrossSiteWebSocket(
  { header }: Pick<RequestHead, 'header'>,
  { isTrusted, servesAds }: OriginRules,
): boolean {
  const origin = header('Origin');
  return servesAds(origin) || (!isTrusted(origin) && !isHost(origin, header('Host')));
}

/** By the host alone: which scheme the browser used, a server behind a proxy cannot tell. */
function isHost(origin: string, host: string): boolean {
  return (
    URL.canParse(origin) && URL.canParse(`http://${host}`) && new URL(origin).host === new URL(`http://${host}`).host
  );
}
