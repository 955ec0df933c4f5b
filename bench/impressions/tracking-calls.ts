import { TrackingMint } from '../../edge/tracking/mint.ts';
import { type ExchangeProcess, SECRET_KEY } from '../processes/exchange.ts';

/** Makes `count` requests, each with a tracking URL of its own, as an auction would put it into an ad. */
export function trackingCalls(exchange: ExchangeProcess, publisherId: string, count: number): string[] {
  const mint = new TrackingMint({ secretKey: SECRET_KEY, publicEdgeUrl: exchange.edgeUrl });
  const issuedAtMs = Date.now();
  return Array.from({ length: count }, (_, index) => {
    const { url } = mint.mintTracking({
      auctionId: `auction-${index}`,
      publisherId,
      partnerId: null,
      dspId: '0b5a2c1e-7f7e-4c55-9d6b-2f1d1f8a9e01',
      campaignId: null,
      capped: null,
      crid: `creative-${index % 10}`,
      priceCpmMicros: 2_500_000,
      region: 'fra',
      sandbox: false,
      issuedAtMs,
      billingNoticeUrl: null,
    });
    return getOf(url);
  });
}

/** A complete HTTP GET request for a URL. */
export function getOf(url: string): string {
  const { pathname, search, host } = new URL(url);
  return `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
}
