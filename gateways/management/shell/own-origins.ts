import type { ManagementSettings } from '../settings.ts';

/**
 * Tells whether pages of an origin may act with the credentials of whoever looks at them (specification,
 * "Authentication", 9): those on the host of PUBLIC_BASE_URL, over the same protocol and on any port, and those that
 * CORS_ORIGINS lists. `origin` is the value of an `Origin` header; `null` and what is no origin are nobody's.
 */
export function ownOrigins(
  settings: Pick<ManagementSettings, 'publicBaseUrl' | 'allowedOrigins'>,
): (origin: string) => boolean {
  const own = new URL(settings.publicBaseUrl);
  const listed = new Set(settings.allowedOrigins);
  return (origin) => {
    const url = URL.canParse(origin) ? new URL(origin) : null;
    if (url === null || url.origin !== origin) return false;
    return listed.has(origin) || (url.protocol === own.protocol && url.hostname === own.hostname);
  };
}
