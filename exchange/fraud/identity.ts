import { advertiserDomain } from '../auction/advertiser-domain.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { App } from '../openrtb/fields/inventory.ts';
import type { BlockReason } from './block-reason.ts';

/** The web domains, app bundles and app store numbers that a supply source declares as its own. */
export interface DeclaredIdentity {
  /** The domain or bundle that the source was created with. */
  readonly domain: string;
  /** All other identities, among them the domain of the app's developer. */
  readonly identities: readonly string[];
}

/** Hosts of development machines. Like names without a dot, they are no publisher's inventory. */
const UNPUBLISHED =
  /\.localhost$|^(?:127|10)(?:\.\d+){3}$|^192\.168(?:\.\d+){2}$|^172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}$/;

/**
 * A name without a dot, an empty text, or the beginning of an IPv6 address. Other letters do not match, because a
 * browser may read some of them as dots.
 */
const DOTLESS = /^(?:\[|[\w-]*)$/;

/** The number of an app in Apple's store, with or without `id` before it, or in Roku's. */
const STORE_NUMBER = /^(?:id)?(\d+)$/;

/**
 * The reason to block a request that names a site or an app which the source has not declared, or null. A field that
 * the request leaves out contradicts nothing; what it states must be declared, regardless of `www.` and capitals.
 * Similar names are not matched.
 *
 * - `site.domain`, the host of `site.page`, and `dooh.domain` must be a declared domain or a subdomain of one.
 * - `app.bundle` must be a declared bundle or a declared store number, with or without `id` before it. `app.domain` is
 *   judged only where there is no bundle.
 *
 * Pages on development machines agree with every source.
 */
export function identityMismatch({ site, app, dooh }: BidRequest, declared: DeclaredIdentity): BlockReason | null {
  if (site !== undefined && !(ownsSite(declared, site.domain) && ownsSite(declared, site.page))) return 'site-mismatch';
  if (dooh !== undefined && !ownsSite(declared, dooh.domain)) return 'site-mismatch';
  return app === undefined || ownsApp(declared, app) ? null : 'app-mismatch';
}

/**
 * Whether a request's inventory is covered by the (app-)ads.txt that was read for the source. A site must have the
 * domain of the file or a subdomain of it; an app must have the bundle that the source was created with, because the
 * developer's file stands for that bundle.
 */
export function isVerifiedInventory({ site, app, dooh }: BidRequest, domain: string, fileDomain: string): boolean {
  const file = { domain: fileDomain, identities: [] };
  if (site !== undefined) return agrees(file, site.domain) && agrees(file, site.page);
  if (dooh !== undefined) return agrees(file, dooh.domain);
  if (app === undefined) return true;
  return app.bundle ? isSameApp(app.bundle, domain) : agrees(file, app.domain);
}

/** `stated` is a domain or the URL of a page. */
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

/** Whether `domain` is `above` or a subdomain of it. */
function isBelow(domain: string, above: string): boolean {
  if (!domain.endsWith(above)) return false;
  return domain.length === above.length || domain[domain.length - above.length - 1] === '.';
}
