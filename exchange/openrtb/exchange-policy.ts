import { hasAgreedPrice, hasOwnFloor } from '../auction/deals.ts';
import { isPricedByDuration } from '../auction/floors.ts';
import { CONTENT_TAXONOMY_1, withProhibitedAttributes } from '../auction/prohibited.ts';
import { prohibitedIds } from '../auction/prohibited-categories.ts';
import type { PrivacyTreatment } from '../consent/treatment.ts';
import { withhold } from '../consent/withhold.ts';
import { CURRENCY } from '../currency/currency.ts';
import { cpmMicros, cpmOf } from '../money/price.ts';
import { type DomainList, domainListOf } from '../packed-domains.ts';
import type { BidRequest } from './bid-request.ts';
import type { DurationFloor } from './fields/duration-floor.ts';
import type { Imp } from './fields/imp.ts';
import type { Content } from './fields/inventory.ts';
import type { Deal } from './fields/pmp.ts';
import type { User } from './fields/user.ts';
import { identifySeller, type Seller } from './seller.ts';
import { type Mutable, shallowCopy } from './shallow-copy.ts';
import { extendSupplyChain, type SupplyChainLink } from './supply-chain.ts';

/** The changes that the exchange makes in a request to bidders. */
export interface ExchangePolicy {
  /** The time that is left for the bidder, in milliseconds. */
  readonly tmaxMs: number;
  /** The currencies that bids may be in, US dollars first; absent: US dollars alone. */
  readonly currencies?: readonly string[] | undefined;
  /** Added to `bcat` (IAB Content Taxonomy 1.0). */
  readonly blockedCategories: readonly string[];
  /**
   * Whether bidders are told what this exchange does not sell: attributes in each imp's `battr` and, where `bcat` is in
   * another taxonomy than 1.0, the prohibited categories of that one.
   */
  readonly prohibits?: boolean;
  /** Added to `badv`. */
  readonly blockedDomains: DomainList;
  /** Used as `content.genre` where the request has none. */
  readonly contentGenre: string | null;
  /** The higher of the publisher's and the pool's floor: whole micro-dollars CPM. Lower floors are raised to it. */
  readonly floorCpmMicros: number;
  /** Appended to the supply chain, where the exchange has a name in it. */
  readonly supplyChain?: SupplyChainLink;
  readonly seller?: Seller;
  /** The treatment of the viewer's data; nothing is withheld when absent. */
  readonly treatment?: PrivacyTreatment;
  /** Whether the viewer's browser or the caller asks for Global Privacy Control; passed on as `regs.ext.gpc`. */
  readonly globalPrivacyControl?: boolean;
  /** One buyer's id of the viewer. It must be absent where the treatment allows no ids. */
  readonly buyerUid?: string | undefined;
}

/** First price (OpenRTB 2.6 §3.2.1 `at`). */
const FIRST_PRICE = 1;

/**
 * The request as the exchange offers it: a copy, one level deep, that the caller may change. Objects in it are copied
 * where they differ and shared where they do not, so that the original request is not changed.
 */
export function applyExchangePolicy(request: BidRequest, terms: ExchangePolicy): Mutable<BidRequest> {
  const { blockedCategories, blockedDomains, contentGenre, supplyChain, seller, treatment } = terms;
  let offered = shallowCopy(request);
  offered.imp = request.imp.map((imp) => {
    const raised = raiseFloors(imp, terms.floorCpmMicros);
    return terms.prohibits ? withProhibitedAttributes(raised) : raised;
  });
  offered.at = FIRST_PRICE;
  offered.tmax = terms.tmaxMs;
  offered.cur = terms.currencies ?? [CURRENCY];
  if (blockedDomains.length > 0) offered.badv = union(request.badv, domainListOf(blockedDomains));
  // A list has a single taxonomy, in which ids of another would mean other categories. Bids are checked against them
  // nevertheless.
  const { cattax = CONTENT_TAXONOMY_1 } = request;
  const joining = cattax === CONTENT_TAXONOMY_1 ? blockedCategories : terms.prohibits ? prohibitedIds(cattax) : [];
  if (joining.length > 0) offered.bcat = union(request.bcat, joining);
  if (contentGenre !== null) {
    if (offered.site) offered.site = fillGenre(offered.site, contentGenre);
    if (offered.app) offered.app = fillGenre(offered.app, contentGenre);
    if (offered.dooh) offered.dooh = fillGenre(offered.dooh, contentGenre);
  }
  if (seller !== undefined) identifySeller(offered, seller);
  if (supplyChain !== undefined) offered.source = extendSupplyChain(request, supplyChain);
  offered.user = userFor(request.user, terms.buyerUid);
  if (treatment !== undefined) offered = withhold(offered, treatment);
  if (terms.globalPrivacyControl) offered.regs = { ...request.regs, ext: { ...request.regs?.ext, gpc: '1' } };
  return offered;
}

/**
 * The user with one buyer's id of the viewer. An incoming `buyeruid` is the caller's id of the viewer for the exchange
 * as its buyer; it means nothing to other bidders and is not passed on.
 */
function userFor(user: User | undefined, buyerUid: string | undefined): User | undefined {
  if (buyerUid === undefined && user?.buyeruid === undefined) return user;
  // An empty id is none.
  const identified = shallowCopy(user ?? {}, user?.id ? ['buyeruid'] : ['buyeruid', 'id']);
  if (buyerUid !== undefined) identified.buyeruid = buyerUid;
  return identified;
}

function union(stated: readonly string[] = [], added: readonly string[]): string[] {
  return [...new Set([...stated, ...added])];
}

function fillGenre<T extends { readonly content?: Content }>(inventory: T, genre: string): T {
  if (inventory.content?.genre) return inventory;
  const content = shallowCopy(inventory.content ?? {});
  content.genre = genre;
  return Object.assign(shallowCopy(inventory), { content });
}

/**
 * Raises the floors that `exchange/auction` enforces: no floor of an imp, deal or duration stays below the seller's
 * floor.
 */
function raiseFloors(imp: Imp, sellerFloorCpmMicros: number): Imp {
  const statedCpmMicros = cpmMicros(imp.bidfloor ?? 0);
  const { pmp, video, audio } = imp;
  const hasOtherFloors = pmp?.deals ?? video?.durfloors ?? audio?.durfloors;
  if (statedCpmMicros >= sellerFloorCpmMicros && hasOtherFloors === undefined) return imp;

  const raised = shallowCopy(imp);
  const floorCpmMicros = Math.max(statedCpmMicros, sellerFloorCpmMicros);
  if (statedCpmMicros < floorCpmMicros) setFloor(raised, floorCpmMicros);
  if (video?.durfloors) raised.video = raiseDurations(video, sellerFloorCpmMicros);
  if (audio?.durfloors) raised.audio = raiseDurations(audio, sellerFloorCpmMicros);
  if (pmp?.deals) {
    // A bidder who reads a floor in a deal goes by the deal alone (OpenRTB 2.6 §7.11.2), so that one without a floor of
    // its own keeps none where the imp has floors by duration.
    const openCpmMicros = isPricedByDuration(video) || isPricedByDuration(audio) ? 0 : floorCpmMicros;
    const deals = pmp.deals.map((deal) => raiseDeal(deal, hasOwnFloor(deal) ? floorCpmMicros : openCpmMicros));
    raised.pmp = { ...pmp, deals };
  }
  return raised;
}

/** Raises a deal's floor. Deals are first price as well, unless a price is agreed. */
function raiseDeal(deal: Deal, floorCpmMicros: number): Deal {
  const raised = shallowCopy(deal);
  if (cpmMicros(deal.bidfloor ?? 0) < floorCpmMicros) setFloor(raised, floorCpmMicros);
  if (deal.at !== undefined && !hasAgreedPrice(deal)) raised.at = FIRST_PRICE;
  return deal.durfloors ? raiseDurations(raised, floorCpmMicros) : raised;
}

function setFloor(priced: { bidfloor?: number; bidfloorcur?: string }, floorCpmMicros: number): void {
  priced.bidfloor = cpmOf(floorCpmMicros);
  priced.bidfloorcur = CURRENCY;
}

function raiseDurations<T extends { readonly durfloors?: readonly DurationFloor[] }>(
  priced: T,
  floorCpmMicros: number,
): T {
  const durfloors = priced.durfloors?.map((floor) =>
    cpmMicros(floor.bidfloor ?? 0) < floorCpmMicros ? { ...floor, bidfloor: cpmOf(floorCpmMicros) } : floor,
  );
  return Object.assign(shallowCopy(priced), { durfloors });
}
