import type { ManagementSettings } from '../settings.ts';

type OriginSettings = Pick<
  ManagementSettings,
  'publicBaseUrl' | 'publicEdgeUrl' | 'publicCreativesUrl' | 'allowedOrigins'
>;

/** What the management API thinks of the pages of an origin; `origin` is the value of an `Origin` header. */
export interface OriginRules {
  /**
   * Whether its pages may act with the credentials of whoever looks at them (specification, "Authentication", 9): the whole
   * origin (scheme, host and port, RFC 6454 §4) is that of PUBLIC_BASE_URL, or CORS_ORIGINS lists it. Ads run at the edge, so
   * that its origin and that of creatives are never trusted. `null` and what is no origin belong to nobody.
   */
  readonly isTrusted: (origin: string) => boolean;
  /** Whether markup of bidders is served there: nothing that its pages send is believed, by whatever name they were asked. */
  readonly servesAds: (origin: string) => boolean;
}

export function originRules(settings: OriginSettings): OriginRules {
  const ads = new Set([settings.publicEdgeUrl, settings.publicCreativesUrl].map((url) => new URL(url).origin));
  const trusted = new Set([new URL(settings.publicBaseUrl).origin, ...settings.allowedOrigins]);
  return {
    isTrusted: (origin) => trusted.has(origin) && !ads.has(origin),
    servesAds: (origin) => ads.has(origin),
  };
}
