/** `GET /info/bidders/{name}` of Prebid Server. */
export interface BidderInfo {
  readonly status: 'ACTIVE';
  readonly usesHttps: boolean;
  readonly capabilities: Readonly<Record<'app' | 'site' | 'dooh', { readonly mediaTypes: readonly string[] }>>;
}

const MEDIA_TYPES = ['banner', 'video', 'audio', 'native'] as const;

/** The one bidder behind this endpoint: the exchange. */
export function bidderInfo(publicEdgeUrl: string): BidderInfo {
  const mediaTypes = { mediaTypes: MEDIA_TYPES };
  return {
    status: 'ACTIVE',
    usesHttps: publicEdgeUrl.startsWith('https:'),
    capabilities: { app: mediaTypes, site: mediaTypes, dooh: mediaTypes },
  };
}
