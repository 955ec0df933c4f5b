import { getPublicSuffix, parse } from 'tldts';
import { rootDomainOf } from './root-domain.ts';

/** The places where a source's file may be found. */
export interface AdsTxtLocation {
  readonly path: '/ads.txt' | '/app-ads.txt';
  /** Hosts in the order in which they are asked; the first host that has a file decides. */
  readonly hosts: readonly string[];
  /**
   * The subdomain whose own file counts when the root's file names it (`SUBDOMAIN`); null for apps, whose files have no
   * such variable.
   */
  readonly subdomain: string | null;
}

/**
 * The location of a source's file; null where it cannot be known. On the web it is the root domain's ads.txt (ads.txt
 * 1.1 §3.1). For apps it is the app-ads.txt of the developer's site as the store lists it, on a subdomain first
 * (app-ads.txt 1.0, "Crawling"). No store is asked here: the site is `developerDomain`, or `domain` where that is
 * plainly a web domain and not a bundle.
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

/** The host in lower case, without `www.` or `m.`; null for text that is no host name on the Internet. */
function plainHost(domain: string): string | null {
  const host = domain
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^(?:www|m)\.(?=[^.]+\.)/, '');
  const { isIp, publicSuffix } = parse(host);
  const named = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) && !isIp && publicSuffix !== host;
  // Some names cannot be the host of a URL: `1.2.3.999`.
  return named && URL.canParse(`https://${host}`) ? host : null;
}

/** The first labels of bundles in reverse order, besides country codes. */
const BUNDLE_PREFIXES: ReadonlySet<string> = new Set(['com', 'org', 'net', 'edu', 'gov', 'io', 'co', 'biz', 'info']);

/**
 * Whether an app's `domain` may be a bundle: a number, a word, or a reversed domain such as `com.example.app`. A name
 * that could be either, such as `com.example.news`, counts as a bundle: verifying another party's domain would be
 * worse.
 */
function looksLikeBundle(domain: string): boolean {
  const labels = domain.toLowerCase().split('.');
  const [first = ''] = labels;
  if (labels.length < 2 || !/^[a-z0-9.-]+$/.test(domain.toLowerCase())) return true;
  if (labels.length > 2 && (BUNDLE_PREFIXES.has(first) || /^[a-z]{2}$/.test(first))) return true;
  return getPublicSuffix(domain, { allowPrivateDomains: false }) === null;
}
