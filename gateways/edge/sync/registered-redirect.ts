import type { SyncPartner } from '../../../edge/viewer/sync-partners.ts';

/**
 * Where a demand source may have its viewers sent back to: an absolute https URL on a host that it has registered; http where
 * we are on http ourselves. Null for anything else.
 *
 * Judged and returned as one parser reads it, the one of browsers (WHATWG URL), so that no other reading of the text can
 * lead elsewhere: backslashes, tabs, userinfo, `//host` and look-alike characters are settled before the host is compared.
 */
export function registeredRedirect(redirect: string, { hosts }: SyncPartner, allowHttp: boolean): string | null {
  if (!URL.canParse(redirect)) return null;
  const url = new URL(redirect);
  const schemeFits = url.protocol === 'https:' || (allowHttp && url.protocol === 'http:');
  if (!schemeFits || url.username !== '' || url.password !== '' || !hosts.has(url.host)) return null;
  return url.href;
}
