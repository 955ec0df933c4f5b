import type { SyncPartner } from '#edge/viewer/sync-partners';
import { parseUrl } from '#exchange/parse-url';

/**
 * The URL to which a DSP may have viewers sent back: an absolute https URL on a host that the DSP has registered; http
 * where the edge itself uses http. Null for anything else.
 *
 * The URL is checked and returned in the reading of one parser, that of browsers (WHATWG URL), so that no other reading
 * of the text can lead elsewhere: backslashes, tabs, userinfo, `//host` and look-alike characters are resolved before
 * the host is compared.
 */
export function registeredRedirect(redirect: string, { hosts }: SyncPartner, allowHttp: boolean): string | null {
  const url = parseUrl(redirect);
  if (url === null) return null;
  const schemeFits = url.protocol === 'https:' || (allowHttp && url.protocol === 'http:');
  if (!schemeFits || url.username !== '' || url.password !== '' || !hosts.has(url.host)) return null;
  return url.href;
}
