/** What nearly everybody writes: nothing to tidy. */
const PLAIN_DOMAIN = /^(?!www\.)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** Before the host: a scheme, where browsers forgive slashes that are missing or lean back (WHATWG URL §4.4), or two slashes. */
const BEFORE_HOST = /^(?:(?:https?|wss?|ftp):[/\\]*|[a-z][a-z0-9+.-]*:\/\/|[/\\]{2,})/;

/**
 * The domain that an advertiser is known by. Bidders and block lists write URLs, capitals and `www.` for the same one. Of a URL it is
 * the host that a browser would ask, whatever stands before it for a user and a password.
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

export function advertiserDomains(stated: readonly string[]): Set<string> {
  const domains = new Set<string>();
  for (const domain of stated) {
    const known = advertiserDomain(domain);
    if (known !== '') domains.add(known);
  }
  return domains;
}

/** No name in the DNS is longer (RFC 1035 §2.3.4). */
const MAX_LENGTH = 253;

/** What domains can be looked up in, written as `advertiserDomain` does. */
export interface KnownDomains {
  has(domain: string): boolean;
}

/** Whether one of these domains, or a domain above it, is in the set: `shop.ford.com` is in {`ford.com`}. */
export function includesDomain(domains: KnownDomains, stated: string): boolean {
  let domain = advertiserDomain(stated).slice(-MAX_LENGTH);
  for (;;) {
    if (domains.has(domain)) return true;
    const dot = domain.indexOf('.');
    if (dot === -1) return false;
    domain = domain.slice(dot + 1);
  }
}
