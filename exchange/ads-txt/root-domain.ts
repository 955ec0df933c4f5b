import { getDomain } from 'tldts';

/**
 * The public suffix and one label before it (ads.txt 1.1 §2, "root domain"). A name without a known suffix is its own
 * root domain.
 */
export function rootDomainOf(domain: string): string {
  return getDomain(domain) ?? domain;
}
