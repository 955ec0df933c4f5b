import { parseUrl } from '#exchange/parse-url';
import type { OriginRules } from '../shell/own-origins.ts';

/** The parts of a request that show whether a browser sends it on behalf of another site. */
export interface RequestHead {
  readonly method: string;
  /** The value of a header, '' when absent. */
  header(name: string): string;
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a browser sends this request on behalf of a site that may not act in its user's name (cross-site request
 * forgery). The algorithm is that of Go's `http.CrossOriginProtection`. In current browsers `Sec-Fetch-Site` decides.
 * In older ones the host of `Origin` must be the host that was asked. A request with neither header comes from no
 * browser, so it carries no cookies that could be abused. Pages of an origin that serves ads are refused first,
 * whatever else the request says.
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
 * Whether a page of another site opens this WebSocket. Browsers send their cookies with the request for a WebSocket to
 * any host, from any page, and always with `Origin` (RFC 6455 §10.2). A request without `Origin` is not a browser's, so
 * its cookie is not accepted.
 */
export function isCrossSiteWebSocket(
  { header }: Pick<RequestHead, 'header'>,
  { isTrusted, servesAds }: OriginRules,
): boolean {
  const origin = header('Origin');
  return servesAds(origin) || (!isTrusted(origin) && !isHost(origin, header('Host')));
}

/** Compares the host alone, since a server behind a proxy cannot know which scheme the browser used. */
function isHost(origin: string, host: string): boolean {
  const page = parseUrl(origin);
  return page !== null && page.host === parseUrl(`http://${host}`)?.host;
}
