import type { BidRequest, Content, Deal, DurationFloor, Imp, Source, SupplyChainNode } from './bid-request.ts';
import { cpmMicros, cpmOf } from './cpm.ts';
import { CURRENCY } from './currency.ts';
import { readSignals } from './signals.ts';

/** What the exchange changes in a request on its way to the bidders. */
export interface ExchangeTerms {
  /** What is left for the bidder, milliseconds. */
  readonly tmaxMs: number;
  /** Joins `bcat` (IAB Content Taxonomy 1.0). */
  readonly blockedCategories: readonly string[];
  /** Joins `badv`. */
  readonly blockedDomains: readonly string[];
  /** Fills a missing `content.genre`. */
  readonly contentGenre: string | null;
  /** The higher of the publisher's and the pool's floor: whole micro-dollars CPM. Lower floors are raised to it. */
  readonly floorCpmMicros: number;
  /** Appended to the supply chain, where the exchange has a name in it. */
  readonly supplyChainNode?: SupplyChainNode;
}

/** First price (OpenRTB 2.6 §3.2.1 `at`). */
const FIRST_PRICE = 1;
/** `deal.at`: the deal's floor is the agreed price (§3.2.12). */
const AGREED_PRICE = 3;

/**
 * The request as the exchange offers it. Nothing of the caller's document is changed: what differs is copied on the way
 * to it, and the rest is shared.
 */
export function applyExchangeTerms(request: BidRequest, terms: ExchangeTerms): BidRequest {
  const { blockedCategories, blockedDomains, contentGenre, supplyChainNode } = terms;
  const offered = {
    ...request,
    imp: request.imp.map((imp) => raiseFloors(imp, terms.floorCpmMicros)),
    at: FIRST_PRICE,
    tmax: terms.tmaxMs,
    cur: [CURRENCY],
  };
  if (blockedDomains.length > 0) offered.badv = union(request.badv, blockedDomains);
  // A list has one taxonomy; in another one these ids would mean something else, and bids are checked against them anyway.
  if (blockedCategories.length > 0 && (request.cattax ?? 1) === 1)
    offered.bcat = union(request.bcat, blockedCategories);
  if (contentGenre !== null) {
    if (offered.site) offered.site = fillGenre(offered.site, contentGenre);
    if (offered.app) offered.app = fillGenre(offered.app, contentGenre);
    if (offered.dooh) offered.dooh = fillGenre(offered.dooh, contentGenre);
  }
  if (supplyChainNode !== undefined) offered.source = extendSupplyChain(request, supplyChainNode);
  return offered;
}

function union(stated: readonly string[] = [], added: readonly string[]): string[] {
  return [...new Set([...stated, ...added])];
}

function fillGenre<T extends { readonly content?: Content }>(inventory: T, genre: string): T {
  if (inventory.content?.genre) return inventory;
  return { ...inventory, content: { ...inventory.content, genre } };
}

/** The caller's chain with one more link; without one the caller is where the chain begins, so that it is complete. */
function extendSupplyChain(request: BidRequest, node: SupplyChainNode): Source {
  const chain = readSignals(request).schain ?? { complete: 1 as const, ver: '1.0', nodes: [] };
  const source = { ...request.source, schain: { ...chain, nodes: [...chain.nodes, node] } };
  if (source.ext?.schain !== undefined) source.ext = { ...source.ext, schain: undefined };
  return source;
}

/** Floors as `exchange/auction` will hold bids to: no imp, deal or duration below the seller's floor. */
function raiseFloors(imp: Imp, sellerFloorCpmMicros: number): Imp {
  const floorCpmMicros = Math.max(cpmMicros(imp.bidfloor ?? 0), sellerFloorCpmMicros);
  const raised = floorCpmMicros > cpmMicros(imp.bidfloor ?? 0) ? withFloor(imp, floorCpmMicros) : { ...imp };
  if (imp.pmp?.deals) raised.pmp = { ...imp.pmp, deals: imp.pmp.deals.map((deal) => raiseDeal(deal, floorCpmMicros)) };
  if (sellerFloorCpmMicros > 0) {
    if (imp.video?.durfloors) raised.video = raiseDurations(imp.video, sellerFloorCpmMicros);
    if (imp.audio?.durfloors) raised.audio = raiseDurations(imp.audio, sellerFloorCpmMicros);
  }
  return raised;
}

/** Deals are cleared at first price as well, unless a price is agreed. */
function raiseDeal(deal: Deal, floorCpmMicros: number): Deal {
  const raised = cpmMicros(deal.bidfloor ?? 0) < floorCpmMicros ? withFloor(deal, floorCpmMicros) : { ...deal };
  if (deal.at !== undefined && deal.at !== AGREED_PRICE) raised.at = FIRST_PRICE;
  return deal.durfloors ? raiseDurations(raised, floorCpmMicros) : raised;
}

function raiseDurations<T extends { readonly durfloors?: readonly DurationFloor[] }>(
  priced: T,
  floorCpmMicros: number,
): T {
  const durfloors = priced.durfloors?.map((floor) =>
    cpmMicros(floor.bidfloor ?? 0) < floorCpmMicros ? { ...floor, bidfloor: cpmOf(floorCpmMicros) } : floor,
  );
  return { ...priced, durfloors };
}

function withFloor<T extends { readonly bidfloor?: number }>(priced: T, floorCpmMicros: number): Mutable<T> {
  return { ...priced, bidfloor: cpmOf(floorCpmMicros), bidfloorcur: CURRENCY };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
