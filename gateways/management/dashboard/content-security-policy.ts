import type { ManagementSettings } from '../settings.ts';

type Addresses = Pick<ManagementSettings, 'publicBaseUrl' | 'publicEdgeUrl' | 'publicCreativesUrl'>;

/**
 * The Content Security Policy (Level 3) of the dashboard's page: it may run its own script, call its own API and try
 * ads at the edge. Inline script is forbidden, and so is inline style without this answer's `nonce`; no text is turned
 * into markup (Trusted Types).
 */
export function dashboardContentSecurityPolicy(
  { publicBaseUrl, publicEdgeUrl, publicCreativesUrl }: Addresses,
  nonce: string,
): string {
  const edge = new URL(publicEdgeUrl).origin;
  const creatives = new URL(publicCreativesUrl).origin;
  const media = [...new Set([edge, creatives])].join(' ');
  // Browsers older than CSP 3 do not apply 'self' to WebSockets.
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
