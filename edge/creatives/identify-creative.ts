import { LRUCache } from 'lru-cache';
import { DYNAMIC_FINGERPRINT } from '../../actors/creative/dynamic-fingerprint.ts';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { ReviewedCreative } from '../../exchange/creative/creative-review.ts';
import { creativeTemplate } from '../../exchange/creative/creative-template.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';
import type { Creative } from '../../exchange/strategy/document/creative.ts';
import type { CreativeCatalogue } from './creative-catalogue.ts';
import { creativeId, fingerprintOf } from './creative-id.ts';

/** Characters of markup whose fingerprints are kept: bidders send the same markup again and again. */
const KEPT_CHARACTERS = 4_000_000;
const KEPT_MARKUPS = 2_000;

/** A bid in its auction. */
export interface BidInAuction {
  readonly bid: Bid;
  /** BidRequest.id. */
  readonly auctionId: string;
  /** BidResponse.bidid. */
  readonly responseId: string | null;
}

type BiddersDsp = Pick<DspProjection, 'id' | 'creatives'>;

/** Tells creatives apart by their markup, for all auctions of one edge. */
export class CreativeIdentifier {
  readonly #catalogue: CreativeCatalogue;
  /** Fingerprints of markup that had nothing of its auction in it, by the markup. */
  readonly #fingerprints = new LRUCache<string, string>({
    max: KEPT_MARKUPS,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_, markup) => markup.length + 1,
  });
  readonly #ofCampaigns = new WeakMap<Creative, string>();

  constructor(catalogue: CreativeCatalogue) {
    this.#catalogue = catalogue;
  }

  /** The creative of a bidder's bid; null where the bid has no markup (yet). */
  identify(dsp: BiddersDsp, offered: BidInAuction): ReviewedCreative | null {
    const { adm, crid = '' } = offered.bid;
    if (adm === undefined || adm === '') return null;
    const fingerprint = this.#isDynamic(dsp, crid) ? DYNAMIC_FINGERPRINT : this.#fingerprint(adm, offered);
    return { creativeId: creativeId({ dspId: dsp.id, crid, fingerprint }), fingerprint };
  }

  /** The same, as it is reviewed: with the creative of this very markup, where that is another one. */
  identifyReviewed(dsp: BiddersDsp, offered: BidInAuction): ReviewedCreative | null {
    const identity = this.identify(dsp, offered);
    if (identity?.fingerprint !== DYNAMIC_FINGERPRINT) return identity;
    const { adm = '', crid = '' } = offered.bid;
    const fingerprint = this.#fingerprint(adm, offered);
    return { ...identity, version: { creativeId: creativeId({ dspId: dsp.id, crid, fingerprint }), fingerprint } };
  }

  /** The creative of a campaign, of which nothing differs from auction to auction. */
  identifyCampaigns(dspId: string, creative: Creative): ReviewedCreative {
    let fingerprint = this.#ofCampaigns.get(creative);
    if (fingerprint === undefined) {
      fingerprint = fingerprintOf(JSON.stringify(creative));
      this.#ofCampaigns.set(creative, fingerprint);
    }
    return { creativeId: creativeId({ dspId, crid: creative.creative_id, fingerprint }), fingerprint };
  }

  /** Whether the demand source's markup under this `crid` is known to differ from auction to auction. */
  #isDynamic(dsp: BiddersDsp, crid: string): boolean {
    if (dsp.creatives === 'dynamic') return true;
    if (dsp.creatives === 'stable' || !this.#catalogue.hasDynamic(dsp.id)) return false;
    return this.#catalogue.isDynamic(creativeId({ dspId: dsp.id, crid, fingerprint: DYNAMIC_FINGERPRINT }));
  }

  #fingerprint(adm: string, { bid, auctionId, responseId }: BidInAuction): string {
    const kept = this.#fingerprints.get(adm);
    if (kept !== undefined) return kept;
    const template = creativeTemplate(adm, { auctionId, impId: bid.impid, responseId, bidId: bid.id });
    const fingerprint = fingerprintOf(template);
    if (template === adm) this.#fingerprints.set(adm, fingerprint);
    return fingerprint;
  }
}
