import type { ManagementSettings } from '../settings.ts';

type Addresses = Pick<ManagementSettings, 'publicBaseUrl' | 'publicEdgeUrl' | 'publicCreativesUrl'>;

/**
 * What the dashboard's page may do (Content Security Policy Level 3): run its own script, ask its own API and try ads at the edge. No
 * inline script or style but those styles that carry this answer's `nonce`; text becomes markup nowhere (Trusted Types).
 */
export function dashboardContentSecurityPolicy(
  { publicBaseUrl, publicEdgeUrl, publicCreativesUrl }: Addresses,
  nonce: string,
): string {
  const edge = new URL(publicEdgeUrl).origin;
  const creatives = new URL(publicCreativesUrl).origin;
  const media = [...new Set([edge, creatives])].join(' ');
  // Browsers of before CSP 3 do not take 'self' for WebSockets.
  const socket = new URL(publicBaseUrl).origin.replace(/^http/, 'ws');
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: ${media}`,
    `media-src 'self' ${media}`,
    `connect-src 'self' ${socket} ${edge}`,
    `frame-src 'self' ${edge}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
}
