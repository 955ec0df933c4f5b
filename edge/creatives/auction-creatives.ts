import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { Win } from '../../exchange/auction/auction.ts';
import type { LossReason } from '../../exchange/auction/loss-reason.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';
import type { Imp } from '../../exchange/openrtb/fields/imp.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { HeldAuction } from '../auction/held-auction.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { SoldCreative } from '../delegates/sold-creative.ts';
import type { BidderOffer } from '../demand-part.ts';
import type { CreativeCatalogue } from './creative-catalogue.ts';
import { CreativeSightings } from './creative-sightings.ts';
import { HostedCreatives, type HostedFiles } from './hosted-creatives.ts';
import { CreativeIdentifier } from './identify-creative.ts';

export interface AuctionCreativesDeps {
  readonly catalogue: CreativeCatalogue;
  /** Projections of demand sources. */
  readonly replica: Pick<Replica, 'get'>;
  readonly messenger: Messenger;
  readonly files: HostedFiles;
  /** Where viewers find hosted files. */
  readonly publicCreativesUrl: string;
  /** New creatives of one demand source that get a page, in a day. */
  readonly newPerDay: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Why a bid must not be shown, by what people decided about creatives; undefined where it may. */
export type BidReview = (
  bid: Bid,
  offer: BidderOffer | undefined,
  shown: SoldCreative | undefined,
  advertisers: readonly string[] | undefined,
) => LossReason | undefined;

/** Creatives in auctions: which may be shown to whom, which the exchange serves itself, and which were sold. */
export class AuctionCreatives {
  readonly sightings: CreativeSightings;
  readonly #catalogue: CreativeCatalogue;
  readonly #identifier: CreativeIdentifier;
  readonly #hosted: HostedCreatives;
  readonly #dsp: (id: string) => DspProjection | undefined;

  constructor({
    catalogue,
    replica,
    messenger,
    files,
    publicCreativesUrl,
    newPerDay,
    clock,
    random,
    logger,
  }: AuctionCreativesDeps) {
    const identifier = new CreativeIdentifier(catalogue);
    this.#catalogue = catalogue;
    this.#identifier = identifier;
    this.#dsp = (id) => replica.get<DspProjection>('dsp', id);
    this.#hosted = new HostedCreatives({ catalogue, identifier, files, publicCreativesUrl, random, logger });
    this.sightings = new CreativeSightings({ catalogue, identifier, messenger, clock, newPerDay, dsp: this.#dsp });
  }

  /** The review of an auction's bids; undefined where nothing is decided for its publisher. */
  reviewFor({ publisher, request }: Pick<AuctionContext, 'publisher' | 'request'>): BidReview | undefined {
    const review = this.#catalogue.reviewFor(publisher);
    if (review === null) return undefined;
    const isClean = (creativeId: string) => this.#catalogue.isClean(creativeId);
    return (bid, offer, shown, advertisers) => {
      const dspId = shown?.campaign.dspId ?? offer?.dspId;
      if (dspId === undefined) return undefined;
      const identify = () => {
        if (shown !== undefined) return this.#identifier.identifyCampaigns(dspId, shown.creative);
        const offered = { bid, auctionId: request.id, responseId: offer?.bidId ?? null };
        // A demand source may be removed while its bid is on the way: what was decided still holds.
        return this.#identifier.identifyReviewed(this.#dsp(dspId) ?? { id: dspId }, offered);
      };
      return review.refusal(bid, dspId, { identify, isClean }, advertisers);
    };
  }

  /** The hosted markup of a bidder's winner, with OpenRTB's macros still in it; null where its own is to be served. */
  hostedMarkup(auctionId: string, { bid, dspId, format }: Win, { bidId }: BidderOffer, imp: Imp): string | null {
    if (!this.#catalogue.hasHosted(dspId)) return null;
    const dsp = this.#dsp(dspId);
    if (dsp === undefined) return null;
    return this.#hosted.markupFor(dsp, { bid, auctionId, responseId: bidId }, { imp, format });
  }

  /** Takes note of the creatives of an auction that was held. */
  record(context: AuctionContext, offers: readonly BidderOffer[], held: HeldAuction): void {
    this.sightings.add(context, offers, held);
  }
}
