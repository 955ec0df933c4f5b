import type { PublisherView } from '../../../actors/publisher/view.ts';
import { type AuctionInput, holdAuction, type Loss, type Win } from '../../../exchange/auction/auction.ts';
import { injectTracking } from '../../../exchange/creative/inject-tracking.ts';
import type { Bid } from '../../../exchange/openrtb/bid-response.ts';
import { substituteMacros } from '../../../exchange/openrtb/macros.ts';
import type { TrackingMint } from '../tracking/mint.ts';
import type { Sale } from '../tracking/sale.ts';
import { winValues } from './notice-values.ts';
import type { AuctionOrder } from './order.ts';
import type { BidderOffer } from './read-replies.ts';
import type { SoldImp } from './sold-imp.ts';

/** Of an order, what a sale depends on. */
export interface SaleOrder extends Pick<AuctionOrder, 'request' | 'pool' | 'sandbox'> {
  readonly publisher: Pick<
    PublisherView,
    'id' | 'partnerId' | 'floorCpmMicros' | 'blockedCategories' | 'blockedDomains'
  >;
}

export interface SaleTerms {
  readonly order: SaleOrder;
  readonly region: string;
  /** Wall clock, ms since the epoch. */
  readonly nowMs: number;
  readonly random: () => number;
  readonly mint: TrackingMint;
}

export interface Sales {
  readonly sold: readonly SoldImp[];
  readonly losses: readonly Loss[];
}

/**
 * Holds the auction and prepares what was won for its way out. A winner whose markup cannot carry our tracker could
 * never be billed: it loses as `creative-rejected`, its group with it, and the auction is held again.
 */
export function sell(offers: readonly BidderOffer[], terms: SaleTerms): Sales {
  const rejectedCreatives = new Set<Bid>();
  const input = auctionInput(offers, terms, rejectedCreatives);
  for (;;) {
    const { wins, losses } = holdAuction(input);
    const sold: SoldImp[] = [];
    for (const win of wins) {
      const offer = offers.find(({ dspId }) => dspId === win.dspId)!;
      const imp = soldImp(win, offer, terms);
      if (imp === null) rejectedCreatives.add(win.bid);
      else sold.push(imp);
    }
    if (sold.length === wins.length) return { sold, losses };
  }
}

function auctionInput(
  offers: readonly BidderOffer[],
  { order, random }: SaleTerms,
  rejectedCreatives: ReadonlySet<Bid>,
): AuctionInput {
  const { request, publisher, pool } = order;
  return {
    request,
    offers,
    rejectedCreatives,
    random,
    terms: {
      publisherFloorCpmMicros: publisher.floorCpmMicros,
      poolFloorCpmMicros: pool?.floorCpmMicros ?? 0,
      blockedCategories: publisher.blockedCategories,
      blockedDomains: publisher.blockedDomains,
    },
  };
}

function soldImp(win: Win, offer: BidderOffer, { order, region, nowMs, mint }: SaleTerms): SoldImp | null {
  const { request, publisher, sandbox } = order;
  const { adm, nurl, burl, crid } = win.bid;
  if (adm === undefined) return null;
  const values = winValues(request.id, win, offer);
  const sale: Sale = {
    auctionId: request.id,
    publisherId: publisher.id,
    partnerId: publisher.partnerId,
    dspId: win.dspId,
    campaignId: null,
    leaseId: null,
    capped: null,
    crid: crid ?? '',
    priceCpmMicros: win.clearingCpmMicros,
    region,
    sandbox,
    issuedAtMs: nowMs,
    billingNoticeUrl: burl === undefined ? null : substituteMacros(burl, values, 'impressionMs'),
  };
  const { trackingId, url } = mint.mintTracking(sale);
  const injection = injectTracking(win.format, substituteMacros(adm, values), url);
  if (!injection.ok) return null;
  const winNoticeUrl = nurl === undefined ? null : substituteMacros(nurl, values);
  return { win, sale, trackingId, trackingUrl: url, adm: injection.adm, winNoticeUrl };
}
