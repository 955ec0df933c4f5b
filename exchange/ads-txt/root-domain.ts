import { getDomain } from 'tldts';

/** The public suffix and one name before it (ads.txt 1.1 §2, "root domain"); a name without a known suffix is its own. */
export function rootDomainOf(domain: string): string {
  return getDomain(domain) ?? domain;
}
