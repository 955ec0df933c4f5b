import { advertiserDomain } from '../auction/advertiser-domain.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { App } from '../openrtb/fields/inventory.ts';
import type { BlockReason } from './block-reason.ts';

/** What a supply source has declared to be its own: web domains, app bundles and numbers in app stores. */
export interface DeclaredIdentity {
  /** The one that it was created with. */
  readonly domain: string;
  /** All others, its developer's domain among them. */
  readonly identities: readonly string[];
}

/** Hosts of development machines; like names without a dot, they are nobody's inventory. */
const UNPUBLISHED =
  /\.localhost$|^(?:127|10)(?:\.\d+){3}$|^192\.168(?:\.\d+){2}$|^172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}$/;

/** A name without a dot, nothing at all, or the beginning of an IPv6 address: in any other letters a browser may find dots. */
const DOTLESS = /^(?:\[|[\w-]*)$/;

/** An app's name in a store that numbers its apps: Apple's, with or without `id` before it, or Roku's. */
const STORE_NUMBER = /^(?:id)?(\d+)$/;

/**
 * Names a site or an app that the source has not declared: its reason, or null. What a request leaves out contradicts nothing;
 * what it states must be declared, `www.` and capitals aside. Nothing is guessed from names that are like each other.
 *
 * - `site.domain`, the host of `site.page`, `dooh.domain`: a declared domain, or below it.
 * - `app.bundle`: a declared bundle, or a declared number in a store, with or without `id` before it. `app.domain` is asked only
 *   where there is no bundle.
 *
 * Pages on development machines agree with every source.
 */
export function identityMismatch({ site, app, dooh }: BidRequest, declared: DeclaredIdentity): BlockReason | null {
  if (site !== undefined && !(ownsSite(declared, site.domain) && ownsSite(declared, site.page))) return 'site-mismatch';
  if (dooh !== undefined && !ownsSite(declared, dooh.domain)) return 'site-mismatch';
  return app === undefined || ownsApp(declared, app) ? null : 'app-mismatch';
}

/**
 * Whether the inventory that a request names is what the source's (app-)ads.txt was read for. Of a site: the domain of the file, or
 * below it; of an app: the bundle that the source was created with, for which its developer's file stands.
 */
export function isVerifiedInventory({ site, app, dooh }: BidRequest, domain: string, fileDomain: string): boolean {
  const file = { domain: fileDomain, identities: [] };
  if (site !== undefined) return agrees(file, site.domain) && agrees(file, site.page);
  if (dooh !== undefined) return agrees(file, dooh.domain);
  if (app === undefined) return true;
  return app.bundle ? isSameApp(app.bundle, domain) : agrees(file, app.domain);
}

/** `stated`: a domain, or a URL of a page. */
function ownsSite(declared: DeclaredIdentity, stated: string | undefined): boolean {
  if (stated === undefined || agrees(declared, stated)) return true;
  const host = advertiserDomain(stated);
  return DOTLESS.test(host) || UNPUBLISHED.test(host);
}

function agrees({ domain, identities }: DeclaredIdentity, stated: string | undefined): boolean {
  if (!stated) return true;
  const host = advertiserDomain(stated);
  return isBelow(host, advertiserDomain(domain)) || identities.some((own) => isBelow(host, advertiserDomain(own)));
}

function ownsApp(declared: DeclaredIdentity, { bundle, domain }: App): boolean {
  if (!bundle) return ownsSite(declared, domain);
  return isSameApp(bundle, declared.domain) || declared.identities.some((own) => isSameApp(bundle, own));
}

function isSameApp(bundle: string, declared: string): boolean {
  if (bundle === declared) return true;
  const number = STORE_NUMBER.exec(declared)?.[1];
  if (number !== undefined) return STORE_NUMBER.exec(bundle)?.[1] === number;
  return bundle.toLowerCase() === declared.toLowerCase();
}

/** Whether `domain` is `above` or lies below it. */
function isBelow(domain: string, above: string): boolean {
  if (!domain.endsWith(above)) return false;
  return domain.length === above.length || domain[domain.length - above.length - 1] === '.';
}
