import { getDomain } from 'tldts';
import { parseUrl } from '#exchange/parse-url';
import type { ManagementSettings } from '../settings.ts';

type OriginSettings = Pick<
  ManagementSettings,
  'publicBaseUrl' | 'publicEdgeUrl' | 'publicCreativesUrl' | 'regionUrls' | 'allowedOrigins' | 'ownDomain'
>;

/** The rules of the management API for pages of an origin; `origin` is the value of an `Origin` header. */
export interface OriginRules {
  /**
   * Whether pages of the origin may act with the credentials of their visitor: the whole origin (scheme, host and port,
   * RFC 6454 §4) is that of PUBLIC_BASE_URL, or CORS_ORIGINS lists it. Ads run at the edges, so the origins of all
   * regions' edges and that of creatives are never trusted; neither is `null` or any text that is not an origin.
   */
  readonly isTrusted: (origin: string) => boolean;
  /**
   * Whether pages of the origin may call the API and read its answers (specification, "Authentication", 9): the origin
   * is trusted, or EXCHANGE_DOMAIN is set and the origin is a host of that domain over the API's own protocol. Hosts of
   * ads and of creatives are excluded on every port. A page of such a host must send a key: cookies are for trusted
   * origins alone.
   */
  readonly isOwn: (origin: string) => boolean;
  /**
   * Whether the origin serves markup of bidders. Requests of its pages are never trusted, whatever host name they were
   * sent to.
   */
  readonly servesAds: (origin: string) => boolean;
}

/**
 * Two sites of a hosting company that gives each a subdomain are not one domain (the private part of the suffix list).
 */
const REGISTRABLE = { allowPrivateDomains: true } as const;

/** The registrable domain of a host, such as `exchange.co.uk` of `api.exchange.co.uk`; null when there is none. */
export function registrableDomain(host: string): string | null {
  return getDomain(host, REGISTRABLE);
}

export function originRules(settings: OriginSettings): OriginRules {
  const ofRegions = settings.regionUrls.map(({ url }) => url);
  const adUrls = [settings.publicEdgeUrl, settings.publicCreativesUrl, ...ofRegions].map((url) => new URL(url));
  const ads = new Set(adUrls.map(({ origin }) => origin));
  const adHosts = new Set(adUrls.map(({ hostname }) => hostname));
  const base = new URL(settings.publicBaseUrl);
  const trusted = new Set([base.origin, ...settings.allowedOrigins]);
  const isTrusted = (origin: string) => trusted.has(origin) && !ads.has(origin);
  const isOfDomain = (origin: string): boolean => {
    const url = settings.ownDomain === null ? null : parseUrl(origin);
    // A browser sends an origin in its canonical form, without the other parts that a URL may have.
    if (url === null || url.origin !== origin || url.protocol !== base.protocol || adHosts.has(url.hostname))
      return false;
    // An ad host serves the same pages under its name with a trailing dot (RFC 1034 §3.1).
    if (url.hostname.endsWith('.')) return false;
    return registrableDomain(url.hostname) === settings.ownDomain;
  };
  return {
    isTrusted,
    isOwn: (origin) => isTrusted(origin) || isOfDomain(origin),
    servesAds: (origin) => ads.has(origin),
  };
}
