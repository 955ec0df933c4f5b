/** The form of nearly all stated domains, which needs no normalisation. */
const PLAIN_DOMAIN = /^(?!www\.)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/**
 * What stands before the host: a scheme, whose slashes browsers accept when they are missing or are backslashes (WHATWG
 * URL §4.4), or two slashes.
 */
const BEFORE_HOST = /^(?:(?:https?|wss?|ftp):[/\\]*|[a-z][a-z0-9+.-]*:\/\/|[/\\]{2,})/;

/**
 * Normalises the stated domain of an advertiser. Bidders and block lists write URLs, capitals and `www.` for the same
 * domain. Of a URL the result is the host that a browser would connect to, without user and password.
 */
export function advertiserDomain(stated: string): string {
  if (PLAIN_DOMAIN.test(stated)) return stated;
  const authority = stated.trim().toLowerCase().replace(BEFORE_HOST, '');
  const end = authority.search(/[/?#\\]/);
  const named = end === -1 ? authority : authority.slice(0, end);
  const host = named.slice(named.lastIndexOf('@') + 1);
  const port = host.indexOf(':');
  return (port === -1 ? host : host.slice(0, port)).replace(/^www\./, '').replace(/\.$/, '');
}

/** The domains of one list, or of several. */
export function advertiserDomains(...lists: readonly (readonly string[])[]): Set<string> {
  const domains = new Set<string>();
  for (const stated of lists) {
    for (const domain of stated) {
      const known = advertiserDomain(domain);
      if (known !== '') domains.add(known);
    }
  }
  return domains;
}

/** The longest name in the DNS has 253 characters (RFC 1035 §2.3.4). */
const MAX_LENGTH = 253;

/** A set of domains in the form of `advertiserDomain`. */
export interface KnownDomains {
  has(domain: string): boolean;
}

/** Whether the set holds the domain or a domain above it: `shop.ford.com` is in {`ford.com`}. */
export function includesDomain(domains: KnownDomains, stated: string): boolean {
  let domain = advertiserDomain(stated).slice(-MAX_LENGTH);
  for (;;) {
    if (domains.has(domain)) return true;
    const dot = domain.indexOf('.');
    if (dot === -1) return false;
    domain = domain.slice(dot + 1);
  }
}

/** Whether the set holds one of the domains, or a domain above one of them. */
export function includesAnyDomain(domains: KnownDomains, stated: readonly string[]): boolean {
  for (const domain of stated) if (includesDomain(domains, domain)) return true;
  return false;
}
