import type { BidRequest, Imp } from '../openrtb/bid-request.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { AdFormat } from './ad-format.ts';
import { advertiserDomains, includesDomain } from './advertiser-domain.ts';
import type { LossReason } from './loss-reason.ts';

/** IAB Content Taxonomy 1.0: the taxonomy of `bcat` and `cat` where none is named (OpenRTB 2.6 §3.2.1, §4.2.3). */
const CONTENT_TAXONOMY_1 = 1;

/** What a publisher does not want to show, beside what the request says. */
export interface PublisherBlocks {
  readonly blockedCategories: readonly string[];
  readonly blockedDomains: readonly string[];
}

/** The block lists of one request: `badv`, `bcat`, `acat`, `bapp` and `battr`. */
export class BlockLists {
  readonly #request: BidRequest;
  readonly #publisher: PublisherBlocks;
  #domains: Set<string> | undefined;

  constructor(request: BidRequest, publisher: PublisherBlocks) {
    this.#request = request;
    this.#publisher = publisher;
  }

  /** Why a bid must not be shown, or undefined. */
  refusal(bid: Bid, imp: Imp, format: AdFormat): LossReason | undefined {
    if (bid.adomain?.some((domain) => this.#blocksDomain(domain))) return 'blocked-advertiser';
    if (bid.cat !== undefined && this.#blocksCategories(bid.cat, bid.cattax)) return 'blocked-category';
    if (bid.bundle !== undefined && this.#blocksApp(bid.bundle)) return 'blocked-app';
    const blockedAttributes = imp[format]?.battr;
    if (bid.attr !== undefined && blockedAttributes?.some((attribute) => bid.attr!.includes(attribute))) {
      return 'blocked-attribute';
    }
    return undefined;
  }

  #blocksDomain(domain: string): boolean {
    // Made when the first bid names an advertiser: many requests see none, and lists run to hundreds.
    this.#domains ??= advertiserDomains([...(this.#request.badv ?? []), ...this.#publisher.blockedDomains]);
    return this.#domains.size > 0 && includesDomain(this.#domains, domain);
  }

  /** Lists in another taxonomy than the bid's say nothing about it. */
  #blocksCategories(categories: readonly string[], taxonomy = CONTENT_TAXONOMY_1): boolean {
    const { bcat = [], acat, cattax = CONTENT_TAXONOMY_1 } = this.#request;
    const { blockedCategories } = this.#publisher;
    for (const category of categories) {
      if (taxonomy === CONTENT_TAXONOMY_1 && listsCategory(blockedCategories, category)) return true;
      if (taxonomy !== cattax) continue;
      if (listsCategory(bcat, category)) return true;
      if (acat !== undefined && acat.length > 0 && !listsCategory(acat, category)) return true;
    }
    return false;
  }

  #blocksApp(bundle: string): boolean {
    const wanted = bundle.toLowerCase();
    return this.#request.bapp?.some((blocked) => blocked.toLowerCase() === wanted) ?? false;
  }
}

/** Taxonomy 1.0 names its parents: `IAB7` holds `IAB7-28`, and not `IAB70`. Other taxonomies' ids have no hyphens. */
function listsCategory(list: readonly string[], category: string): boolean {
  if (list.length === 0) return false;
  const wanted = category.toUpperCase();
  return list.some((listed) => {
    const upper = listed.toUpperCase();
    return wanted === upper || (wanted.startsWith(upper) && wanted[upper.length] === '-');
  });
}
