import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { Imp } from '../openrtb/fields/imp.ts';
import { type DomainList, PackedDomains } from '../packed-domains.ts';
import type { AdFormat } from './ad-format.ts';
import { advertiserDomains, includesAnyDomain } from './advertiser-domain.ts';
import type { LossReason } from './loss-reason.ts';
import { CONTENT_TAXONOMY_1, prohibitedReason } from './prohibited.ts';

/** What a publisher refuses to show, beyond what the request says. */
export interface PublisherBlocks {
  readonly blockedCategories: readonly string[];
  readonly blockedDomains: DomainList;
}

/**
 * The block lists of one request: `badv`, `bcat`, `acat`, `bapp` and `battr`. Each list is indexed when the first bid
 * needs it: lists have hundreds of entries, and many auctions have no bid that names anything of the list's kind.
 */
export class BlockLists {
  readonly #request: BidRequest;
  readonly #publisher: PublisherBlocks;
  #domains: ReadonlySet<string> | undefined;
  #apps: ReadonlySet<string> | undefined;
  #categories: CategoryLists | undefined;

  constructor(request: BidRequest, publisher: PublisherBlocks) {
    this.#request = request;
    this.#publisher = publisher;
  }

  /**
   * The reason why a bid must not be shown, or undefined. What this exchange sells to no one is checked first.
   * `advertisers` are the domains of a bid's advertiser.
   */
  refusal(
    bid: Bid,
    imp: Imp,
    format: AdFormat,
    advertisers: readonly string[] | undefined = bid.adomain,
  ): LossReason | undefined {
    const prohibited = prohibitedReason(bid, format);
    if (prohibited !== undefined) return prohibited;
    if (advertisers !== undefined && this.#blocksAdvertiser(advertisers)) return 'blocked-advertiser';
    if (bid.cat !== undefined && this.#blocksCategory(bid.cat, bid.cattax)) return 'blocked-category';
    if (bid.bundle !== undefined && this.#blocksApp(bid.bundle)) return 'blocked-app';
    if (bid.attr !== undefined && intersect(bid.attr, imp[format]?.battr)) return 'blocked-attribute';
    return undefined;
  }

  #blocksAdvertiser(domains: readonly string[]): boolean {
    const { blockedDomains: ofPublisher } = this.#publisher;
    const isPacked = ofPublisher instanceof PackedDomains;
    this.#domains ??= advertiserDomains(this.#request.badv ?? [], isPacked ? [] : ofPublisher);
    if (this.#domains.size > 0 && includesAnyDomain(this.#domains, domains)) return true;
    return isPacked && ofPublisher.size > 0 && includesAnyDomain(ofPublisher, domains);
  }

  /** A list in another taxonomy than the bid's says nothing about the bid. */
  #blocksCategory(categories: readonly string[], taxonomy = CONTENT_TAXONOMY_1): boolean {
    this.#categories ??= {
      ofRequest: upperCased(this.#request.bcat),
      allowed: upperCased(this.#request.acat),
      ofPublisher: keptUpperCased(this.#publisher.blockedCategories),
    };
    const { ofRequest, allowed, ofPublisher } = this.#categories;
    const isRequestTaxonomy = taxonomy === (this.#request.cattax ?? CONTENT_TAXONOMY_1);
    return categories.some((stated) => {
      const category = stated.toUpperCase();
      if (taxonomy === CONTENT_TAXONOMY_1 && includesCategory(ofPublisher, category)) return true;
      if (!isRequestTaxonomy) return false;
      return includesCategory(ofRequest, category) || (allowed.size > 0 && !includesCategory(allowed, category));
    });
  }

  #blocksApp(bundle: string): boolean {
    this.#apps ??= upperCased(this.#request.bapp);
    return this.#apps.has(bundle.toUpperCase());
  }
}

interface CategoryLists {
  readonly ofRequest: ReadonlySet<string>;
  readonly allowed: ReadonlySet<string>;
  readonly ofPublisher: ReadonlySet<string>;
}

function upperCased(list: readonly string[] = []): ReadonlySet<string> {
  const set = new Set<string>();
  for (const entry of list) set.add(entry.toUpperCase());
  return set;
}

/** The sets of publishers' lists, which do not change from auction to auction. */
const kept = new WeakMap<readonly string[], ReadonlySet<string>>();

function keptUpperCased(list: readonly string[]): ReadonlySet<string> {
  const known = kept.get(list);
  if (known !== undefined) return known;
  const set = upperCased(list);
  kept.set(list, set);
  return set;
}

/**
 * Taxonomy 1.0 names a category's parent: `IAB7-28` is in `IAB7` and not in `IAB70`. Ids of other taxonomies have no
 * hyphens.
 */
export function includesCategory(list: ReadonlySet<string>, category: string): boolean {
  if (list.size === 0) return false;
  if (list.has(category)) return true;
  const hyphen = category.indexOf('-');
  return hyphen !== -1 && list.has(category.slice(0, hyphen));
}

function intersect(stated: readonly number[], blocked: readonly number[] | undefined): boolean {
  if (blocked === undefined || blocked.length === 0) return false;
  const attributes = new Set(stated);
  return blocked.some((attribute) => attributes.has(attribute));
}
