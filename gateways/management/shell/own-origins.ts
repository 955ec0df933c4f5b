import { getDomain } from 'tldts';
import type { ManagementSettings } from '../settings.ts';

type OriginSettings = Pick<
  ManagementSettings,
  'publicBaseUrl' | 'publicEdgeUrl' | 'publicCreativesUrl' | 'allowedOrigins' | 'ownDomain'
>;

/** What the management API thinks of the pages of an origin; `origin` is the value of an `Origin` header. */
export interface OriginRules {
  /**
   * Whether its pages may act with the credentials of whoever looks at them: the whole origin (scheme, host and port,
   * RFC 6454 §4) is that of PUBLIC_BASE_URL, or CORS_ORIGINS lists it. Ads run at the edge, so that its origin and that of
   * creatives are never trusted. `null` and what is no origin belong to nobody.
   */
  readonly isTrusted: (origin: string) => boolean;
  /**
   * Whether its pages may call the API and read its answers (specification, "Authentication", 9): it is trusted, or, once
   * EXCHANGE_DOMAIN is set, of a host of that domain over the API's own protocol. Hosts of ads and of creatives are never
   * meant, on any port. A page of such a host brings a key: cookies are for trusted origins alone.
   */
  readonly isOwn: (origin: string) => boolean;
  /** Whether markup of bidders is served there: nothing that its pages send is believed, by whatever name they were asked. */
  readonly servesAds: (origin: string) => boolean;
}

/** Two sites of a hosting company that gives each a subdomain are not one domain (the private part of the suffix list). */
const REGISTRABLE = { allowPrivateDomains: true } as const;

/** The registrable domain of a host, as `exchange.co.uk` of `api.exchange.co.uk`; null where there is none. */
export function registrableDomain(host: string): string | null {
  return getDomain(host, REGISTRABLE);
}

export function originRules(settings: OriginSettings): OriginRules {
  const adUrls = [settings.publicEdgeUrl, settings.publicCreativesUrl].map((url) => new URL(url));
  const ads = new Set(adUrls.map(({ origin }) => origin));
  const adHosts = new Set(adUrls.map(({ hostname }) => hostname));
  const base = new URL(settings.publicBaseUrl);
  const trusted = new Set([base.origin, ...settings.allowedOrigins]);
  const isTrusted = (origin: string) => trusted.has(origin) && !ads.has(origin);
  const isOfDomain = (origin: string): boolean => {
    if (settings.ownDomain === null || !URL.canParse(origin)) return false;
    const url = new URL(origin);
    // An origin is written as itself: what else a URL may hold, no browser sends.
    if (url.origin !== origin || url.protocol !== base.protocol || adHosts.has(url.hostname)) return false;
    // A host of ads has the same pages under its name with a dot at the end (RFC 1034 §3.1).
    if (url.hostname.endsWith('.')) return false;
    return registrableDomain(url.hostname) === settings.ownDomain;
  };
  return {
    isTrusted,
    isOwn: (origin) => isTrusted(origin) || isOfDomain(origin),
    servesAds: (origin) => ads.has(origin),
  };
}
