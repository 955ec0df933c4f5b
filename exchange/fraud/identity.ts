import { advertiserDomain } from '../auction/advertiser-domain.ts';
import type { App, BidRequest } from '../openrtb/bid-request.ts';
import type { BlockReason } from './block-reason.ts';

/** What a publisher is registered as: `domain` is an app's bundle, its number in a store, or a web domain. */
export interface RegisteredIdentity {
  readonly domain: string;
  readonly type: 'web' | 'mobile' | 'ctv';
}

/** Hosts of development machines; like names without a dot, they are nobody's inventory. */
const UNPUBLISHED =
  /\.localhost$|^(?:127|10)(?:\.\d+){3}$|^192\.168(?:\.\d+){2}$|^172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}$/;

/** An app's name in a store that numbers its apps: Apple's, with or without `id` before it, or Roku's. */
const STORE_NUMBER = /^(?:id)?(\d+)$/;

/**
 * Names another site or app than the one that the publisher is registered with: its reason, or null. What a request
 * leaves out contradicts nothing; what it states must agree, `www.` and capitals aside:
 *
 * - `site.domain` and the host of `site.page`: the registered domain, or below it.
 * - `app.bundle`: the registered bundle or one that begins with it; or the registered domain turned round, or below it
 *   (`com.example.tv` of `example.com`). Names of different kinds are not held against each other: a store's number says
 *   nothing of a bundle. An app whose `app.domain` is the registered domain may have any bundle.
 * - A web publisher may serve an app, and an app's publisher a site, by the same rules: an app's site is its bundle turned
 *   round, below that, or the developer's domain above it.
 *
 * Pages on development machines agree with every publisher.
 */
export function identityMismatch({ site, app, dooh }: BidRequest, registered: RegisteredIdentity): BlockReason | null {
  if (site !== undefined && !(ownsSite(registered, site.domain) && ownsSite(registered, site.page))) {
    return 'site-mismatch';
  }
  if (dooh !== undefined && !ownsSite(registered, dooh.domain)) return 'site-mismatch';
  return app === undefined || ownsApp(registered, app) ? null : 'app-mismatch';
}

/** `stated`: a domain, or a URL of a page. */
function ownsSite({ domain, type }: RegisteredIdentity, stated: string | undefined): boolean {
  if (stated === undefined) return true;
  const host = advertiserDomain(stated);
  const own = advertiserDomain(domain);
  if (isBelow(host, own) || !host.includes('.') || UNPUBLISHED.test(host)) return true;
  if (type === 'web') return false;
  const turned = turnedRound(own);
  // A number, or a bundle of one word, is no name that a site could contradict.
  return !own.includes('.') || isBelow(host, turned) || isBelow(turned, host);
}

function ownsApp(registered: RegisteredIdentity, { bundle, domain, storeurl }: App): boolean {
  if (!bundle) return ownsSite(registered, domain);
  const own = advertiserDomain(registered.domain);
  if (domain && isBelow(advertiserDomain(domain), own)) return true;
  const number = STORE_NUMBER.exec(own)?.[1];
  const statedNumber = STORE_NUMBER.exec(bundle)?.[1];
  if (number !== undefined && statedNumber !== undefined) return number === statedNumber || namesApp(storeurl, number);
  // Names of different kinds: the publisher's is a number and the app's a bundle, or the other way round.
  if (!own.includes('.') || !bundle.includes('.')) return true;
  const stated = turnedRound(bundle.toLowerCase());
  return isBelow(stated, own) || isBelow(stated, turnedRound(own));
}

/** Whether `domain` is `above` or lies below it. */
function isBelow(domain: string, above: string): boolean {
  if (!domain.endsWith(above)) return false;
  return domain.length === above.length || domain[domain.length - above.length - 1] === '.';
}

function turnedRound(name: string): string {
  return name.split('.').reverse().join('.');
}

function namesApp(storeUrl: string | undefined, number: string): boolean {
  return storeUrl?.match(/\d+/g)?.includes(number) ?? false;
}
