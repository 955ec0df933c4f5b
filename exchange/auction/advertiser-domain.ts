import { asciiHost } from '../parse-url.ts';

/** The form of nearly all stated domains, which needs no normalisation. */
const PLAIN_DOMAIN = /^(?!www\.)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/**
 * What stands before the host: a scheme, whose slashes browsers accept when they are missing or are backslashes (WHATWG
 * URL §4.4), or two slashes.
 */
const BEFORE_HOST = /^(?:(?:https?|wss?|ftp):[/\\]*|[a-z][a-z0-9+.-]*:\/\/|[/\\]{2,})/;

/** A host that has no other form in ASCII. */
const ASCII_HOST = /^[a-z0-9.-]*$/;
/** The longest name in the DNS has 253 characters (RFC 1035 §2.3.4). */
const MAX_LENGTH = 253;
/** The most conversions that are kept: each bid of an auction is asked for its domains several times. */
const MAX_CONVERTED = 1_000;
const converted = new Map<string, string>();

/**
 * Normalises the stated domain of an advertiser. Bidders and block lists write URLs, capitals and `www.` for the same
 * domain, and internationalised domains in their own letters or in ASCII (`xn--`). Of a URL the result is the host that
 * a browser would connect to, without user and password.
 */
export function advertiserDomain(stated: string): string {
  if (PLAIN_DOMAIN.test(stated)) return stated;
  const authority = stated
    .replace(/[\t\n\r]/g, '')
    .trim()
    .toLowerCase()
    .replace(BEFORE_HOST, '');
  const end = authority.search(/[/?#\\]/);
  const named = end === -1 ? authority : authority.slice(0, end);
  const host = named.slice(named.lastIndexOf('@') + 1);
  const port = host.indexOf(':');
  let domain = inAscii(port === -1 ? host : host.slice(0, port)).replace(/^www\./, '');
  while (domain.endsWith('.')) domain = domain.slice(0, -1);
  return domain;
}

/** The host as the DNS knows it; unchanged where it can be no domain. */
function inAscii(host: string): string {
  if (ASCII_HOST.test(host) || host.length > MAX_LENGTH) return host;
  const known = converted.get(host);
  if (known !== undefined) return known;
  const ascii = asciiHost(host) ?? host;
  if (converted.size >= MAX_CONVERTED) converted.clear();
  converted.set(host, ascii);
  return ascii;
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
