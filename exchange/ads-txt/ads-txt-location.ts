import { getPublicSuffix, parse } from 'tldts';
import { rootDomainOf } from './root-domain.ts';

/** Where a source's file is looked for. */
export interface AdsTxtLocation {
  readonly path: '/ads.txt' | '/app-ads.txt';
  /** Hosts in the order in which they are asked: the first that has a file is the one that counts. */
  readonly hosts: readonly string[];
  /** A subdomain whose own file counts when the root's names it (`SUBDOMAIN`); null for apps, whose files know no such variable. */
  readonly subdomain: string | null;
}

/**
 * Web: the root domain's ads.txt (ads.txt 1.1 §3.1). Apps: the app-ads.txt of the developer's site as the store lists it, a
 * subdomain of it first (app-ads.txt 1.0, "Crawling"). No store is asked here: the site is `developerDomain`, or `domain` where
 * that is plainly a web domain and not a bundle. Null: nobody knows where to look.
 */
export function adsTxtLocation(source: {
  readonly type: 'ctv' | 'mobile' | 'web';
  readonly domain: string;
  readonly developerDomain: string | null;
}): AdsTxtLocation | null {
  if (source.type === 'web') {
    const domain = plainHost(source.domain);
    if (domain === null) return null;
    const root = rootDomainOf(domain);
    return { path: '/ads.txt', hosts: [root], subdomain: domain === root ? null : domain };
  }
  const site = source.developerDomain ?? (looksLikeBundle(source.domain) ? null : source.domain);
  const host = site === null ? null : plainHost(site);
  if (host === null) return null;
  const root = rootDomainOf(host);
  return { path: '/app-ads.txt', hosts: host === root ? [root] : [host, root], subdomain: null };
}

/** Without `www.` or `m.`, lower case; null for what is no name of a host on the Internet. */
function plainHost(domain: string): string | null {
  const host = domain
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^(?:www|m)\.(?=[^.]+\.)/, '');
  const { isIp, publicSuffix } = parse(host);
  const named = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) && !isIp && publicSuffix !== host;
  // Names that no URL can have: `1.2.3.999`.
  return named && URL.canParse(`https://${host}`) ? host : null;
}

/** What bundles in reverse order begin with, beside the codes of countries. */
const BUNDLE_PREFIXES: ReadonlySet<string> = new Set(['com', 'org', 'net', 'edu', 'gov', 'io', 'co', 'biz', 'info']);

/**
 * Whether an app's `domain` may be a bundle: a number, a word, or a domain in reverse such as `com.example.app`. One that could
 * be read either way, such as `com.example.news`, is taken for a bundle: to verify a stranger's domain would be worse.
 */
function looksLikeBundle(domain: string): boolean {
  const labels = domain.toLowerCase().split('.');
  const [first = ''] = labels;
  if (labels.length < 2 || !/^[a-z0-9.-]+$/.test(domain.toLowerCase())) return true;
  if (labels.length > 2 && (BUNDLE_PREFIXES.has(first) || /^[a-z]{2}$/.test(first))) return true;
  return getPublicSuffix(domain, { allowPrivateDomains: false }) === null;
}
