// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros

import { TrackingMint } from '#edge/tracking/mint';
import { TrackingVerifier } from '#edge/tracking/verify';
import { readViewerCookie, withMatch, writeViewerCookie } from '#edge/viewer/viewer-cookie';
import { advertiserDomain } from '#exchange/auction/advertiser-domain';
import { isBotUserAgent } from '#exchange/fraud/bot';
import { parseUrl } from '#exchange/parse-url';
import { syncUrl } from '#gateways/edge/sync/sync-macros';
import { networkOf } from '#gateways/http/network-of';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';

const secretKey = 'a secret of the fuzzers';
const minted = new TrackingMint({ secretKey, publicEdgeUrl: 'https://edge.test' }).mintTracking(
  {
    auctionId: 'r',
    publisherId: 'p',
    partnerId: null,
    dspId: 'd',
    campaignId: 'c',
    capped: null,
    crid: 'creative',
    priceCpmMicros: 2_500_000,
    region: 'fra',
    sandbox: false,
    issuedAtMs: 0,
    billingNoticeUrl: 'https://d.test/b?p=2.5',
  },
  'impression_AAAAAAAAAAAAAAAAAAAAAA'.slice(-22),
);
const verifier = new TrackingVerifier({ secretKey });

export const trackingSamples = [
  minted.url,
  minted.url.slice(minted.url.indexOf('?') + 1),
  'id=%zz&pub=1&pub=2&t=0.a.b',
];
export const cookieSamples = [
  'viewer=AAAAAAAAAAAAAAAAAAAAAA/abcdefgh:fzz:uid%201; other=1',
  'viewer=optout',
  'a=b; viewer="AAAAAAAAAAAAAAAAAAAAAA/abcdefgh:1:x/ijklmnop:2:y"',
];
export const userAgents = [
  BROWSER_USER_AGENT,
  'curl/8.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://google.com/bot.html)',
  '203.0.113.7',
  '::1%eth0',
];

export function readTrackingUrl(text: string): void {
  const query = text.slice(text.indexOf('?') + 1);
  verifier.verify('impression', query);
  verifier.verify('win', query);
}

export function readCookie(text: string): void {
  const cookie = readViewerCookie(text);
  if (cookie.userId !== null) writeViewerCookie(withMatch(cookie, 'abcdefgh', 'uid', 86_400_000), true);
  // As a query brings it: without halves of surrogate pairs.
  const consent = new URLSearchParams([['consent', text]]).get('consent')!;
  const signals = { coppa: false, gdpr: true, consent, usPrivacy: consent, gpp: consent, gppSid: [1] };
  syncUrl('https://d.test/?c=${GDPR_CONSENT}&r=${REDIRECT_URL}', {
    userId: 'u',
    signals: signals as never,
    setterUrl: 'https://e.test/',
  });
}

/** What else comes with a call's headers: addresses, and names of hosts. */
export function readUserAgent(text: string): void {
  isBotUserAgent(text, true);
  isBotUserAgent(text, false);
  networkOf(text, { v4: 24, v6: 48 });
  advertiserDomain(text);
  parseUrl(`https://${text}/`);
}
