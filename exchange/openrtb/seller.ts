import type { BidRequest } from './bid-request.ts';
import type { App, Publisher, Site } from './fields/inventory.ts';
import { type Mutable, shallowCopy } from './shallow-copy.ts';

/** The seller of the inventory, as sellers.json lists it. */
export interface Seller {
  /** The `seller_id`, equal to `sid` in the exchange's node of `schain` and to the id in the seller's (app-)ads.txt. */
  readonly id: string;
  /** App bundle or web domain. */
  readonly domain: string;
  readonly name: string;
  readonly kind: 'web' | 'app';
  /** Whether the inventory is the seller's own, so that missing facts about its owner can be taken from the seller. */
  readonly owns: boolean;
  /** Whether name and domain are confidential: neither sellers.json nor requests show them. */
  readonly confidential: boolean;
  /**
   * Whether the (app-)ads.txt of the inventory lists the exchange with this seller; null where it is not checked: in
   * the sandbox.
   */
  readonly verified: boolean | null;
}

/**
 * Names the seller in a copy of a request, so that buyers can check it against sellers.json and (app-)ads.txt. The id
 * is the exchange's own for the seller (OpenRTB 2.6 §3.2.15). The publisher's name and domain are those that it is
 * registered with, whatever the caller says. `publisher.ext.verified` is 1 where its (app-)ads.txt lists the exchange
 * and 0 where it does not. Domain and bundle of the inventory are filled in where the request has none, unless the
 * seller is confidential.
 */
export function identifySeller(request: Mutable<BidRequest>, seller: Seller): void {
  const { site, app, dooh } = request;
  if (site) request.site = identifySite(site, seller);
  if (app) request.app = identifyApp(app, seller);
  if (dooh) request.dooh = withPublisher(dooh, seller);
}

function identifySite(site: Site, seller: Seller): Site {
  const identified = withPublisher(site, seller);
  if (isNamedBy(seller) && seller.kind === 'web') identified.domain ||= seller.domain;
  return identified;
}

function identifyApp(app: App, seller: Seller): App {
  const identified = withPublisher(app, seller);
  if (isNamedBy(seller) && seller.kind === 'app') identified.bundle ||= seller.domain;
  return identified;
}

/** Whether the inventory is the seller's, and may be named after it. */
function isNamedBy({ owns, confidential }: Seller): boolean {
  return owns && !confidential;
}

function withPublisher<T extends { readonly publisher?: Publisher }>(inventory: T, seller: Seller): Mutable<T> {
  const identified = shallowCopy(inventory);
  const publisher: Mutable<Publisher> & { name?: string } = shallowCopy(inventory.publisher ?? {}, ['name', 'domain']);
  publisher.id = seller.id;
  if (!seller.confidential) {
    publisher.name = seller.name;
    // A bundle is no domain; the location of an app's ads.txt is on its store page.
    if (seller.kind === 'web') publisher.domain = seller.domain;
  }
  if (seller.verified !== null) publisher.ext = { ...publisher.ext, verified: seller.verified ? 1 : 0 };
  return Object.assign(identified, { publisher });
}
