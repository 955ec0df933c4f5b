import type { BidRequest } from '../openrtb/bid-request.ts';
import type { MalformedBid, OfferedBid } from '../openrtb/parse-bid-response.ts';
import type { AdFormat } from './ad-format.ts';
import { BlockLists } from './block-lists.ts';
import { type Contender, choose } from './choose.ts';
import type { LossReason } from './loss-reason.ts';
import { type AuctionRules, judgeBid } from './validate-bid.ts';

/** What one demand source offers; a `BidResponseReading` with outcome `bids` fits as it is. */
export interface DspOffer {
  readonly dspId: string;
  readonly currency: string;
  readonly bids: readonly OfferedBid[];
  readonly malformed?: readonly MalformedBid[];
}

/** What the publisher and its pool ask for beyond the request. */
export interface SellerTerms {
  /** Whole micro-dollars CPM. */
  readonly publisherFloorCpmMicros: number;
  readonly poolFloorCpmMicros: number;
  /** Join `bcat` (IAB Content Taxonomy 1.0) and `badv`. */
  readonly blockedCategories: readonly string[];
  readonly blockedDomains: readonly string[];
}

export interface AuctionInput {
  readonly request: BidRequest;
  readonly terms: SellerTerms;
  readonly offers: readonly DspOffer[];
  /** Uniform in [0, 1); asked only to break ties. */
  readonly random: () => number;
}

export interface Win extends OfferedBid {
  readonly dspId: string;
  readonly impId: string;
  readonly format: AdFormat;
  readonly dealId: string | null;
  /** First price: the bid itself, rounded once to whole micro-dollars CPM. */
  readonly clearingCpmMicros: number;
  /** The floor that the bid had to reach. */
  readonly floorCpmMicros: number;
  /** `${AUCTION_MIN_TO_WIN}`: what would have tied with the next-closest bid, or the floor without one. */
  readonly minToWinCpmMicros: number;
}

export interface Loss {
  readonly dspId: string;
  /** Null when the bid could not be read as one: see `malformed`. */
  readonly offered: OfferedBid | null;
  readonly malformed: MalformedBid | null;
  readonly reason: LossReason;
  /** Null where the bid names no price that can be read. */
  readonly priceCpmMicros: number | null;
  /** The floor that the bid had to reach; null where it names no imp of the request. */
  readonly floorCpmMicros: number | null;
  /** What the imp was sold for (`${AUCTION_PRICE}` of a lurl); null when nobody won. */
  readonly winningCpmMicros: number | null;
  /** `${AUCTION_MIN_TO_WIN}`; null where price did not decide the loss. */
  readonly minToWinCpmMicros: number | null;
}

export interface AuctionOutcome {
  /** At most one per imp, in the order of the request's imps. */
  readonly wins: readonly Win[];
  /** Every bid that did not win, each exactly once. */
  readonly losses: readonly Loss[];
}

/**
 * Holds a first-price auction (OpenRTB 2.6 §4.4.1, §7.3). Pure: the same input, random numbers included, gives the same
 * outcome. Never throws for anything that a bidder can send.
 */
export function holdAuction({ request, terms, offers, random }: AuctionInput): AuctionOutcome {
  const rules: AuctionRules = {
    request,
    blockLists: new BlockLists(request, terms),
    sellerFloorCpmMicros: Math.max(terms.publisherFloorCpmMicros, terms.poolFloorCpmMicros),
  };
  const entries = offers.flatMap((offer) => enter(offer, rules));
  const broken = brokenGroups(entries, offers);
  const contenders = entries.filter(({ refusal, group }) => refusal === undefined && !broken.has(group));
  const { winners, withdrawn } = choose(contenders, random);
  const soldAtCpmMicros = (impId: string) => winners.get(impId)?.clearingCpmMicros ?? null;

  const losses: Loss[] = [];
  for (const { dspId, malformed = [] } of offers) {
    for (const bid of malformed) losses.push(malformedLoss(dspId, bid, soldAtCpmMicros(bid.impId ?? '')));
  }
  for (const entry of entries) {
    if (winners.get(entry.impId) === entry) continue;
    const isWithdrawn = broken.has(entry.group) || withdrawn.has(entry);
    const reason = entry.refusal ?? (isWithdrawn ? 'group-not-won' : 'lost-to-higher-bid');
    losses.push(lossOf(entry, reason, soldAtCpmMicros(entry.impId)));
  }
  const wins = request.imp.flatMap(({ id }) => {
    const winner = winners.get(id);
    return winner === undefined ? [] : [winOf(winner, nextHighest(winner, contenders, withdrawn))];
  });
  return { wins, losses };
}

/** A bid in the auction, judged. Those refused never become contenders. */
interface Entry extends Contender {
  readonly dspId: string;
  readonly offered: OfferedBid;
  readonly refusal: LossReason | undefined;
  readonly format: AdFormat | null;
  readonly priceCpmMicros: number | null;
  readonly floorCpmMicros: number | null;
}

function enter({ dspId, currency, bids }: DspOffer, rules: AuctionRules): Entry[] {
  const seen = new Set<string>();
  return bids.map((offered) => {
    const { bid, seat } = offered;
    const impId = bid.impid;
    const group = groupName(dspId, offered.group);
    const imp = rules.request.imp.find(({ id }) => id === impId);
    if (imp === undefined) return { ...UNPLACED, dspId, offered, impId, group, refusal: 'unknown-imp' };
    const judgement = judgeBid(offered, imp, currency, rules);
    // Bidders number bids per response or per imp; the same bid twice would tie with itself.
    const identity = JSON.stringify([seat, impId, bid.id]);
    const refusal = seen.has(identity) ? 'duplicate-bid' : judgement.refusal;
    seen.add(identity);
    return { ...judgement, dspId, offered, impId, group, refusal };
  });
}

function groupName(dspId: string, group: number | null): string | null {
  return group === null ? null : `${group} ${dspId}`;
}

/** Groups that cannot win every imp they bid on, because a bid that they need was refused. */
function brokenGroups(entries: readonly Entry[], offers: readonly DspOffer[]): ReadonlySet<string | null> {
  const broken = new Set<string | null>();
  for (const { dspId, malformed = [] } of offers) {
    for (const { group } of malformed) if (group !== null) broken.add(groupName(dspId, group));
  }
  for (const { group, impId, refusal } of entries) {
    if (group === null || refusal === undefined) continue;
    const hasAnother = entries.some(
      (other) => other.group === group && other.impId === impId && other.refusal === undefined,
    );
    if (!hasAnother) broken.add(group);
  }
  return broken;
}

const UNPLACED = { format: null, priceCpmMicros: null, floorCpmMicros: null, clearingCpmMicros: 0 } as const;

/** The next-closest price that the winner had to beat, null without one; groups that withdrew were in nobody's way. */
function nextHighest(winner: Entry, contenders: readonly Entry[], withdrawn: ReadonlySet<Entry>): number | null {
  let highest: number | null = null;
  for (const other of contenders) {
    if (other === winner || other.impId !== winner.impId || withdrawn.has(other)) continue;
    if (highest === null || other.clearingCpmMicros > highest) highest = other.clearingCpmMicros;
  }
  return highest;
}

function winOf(winner: Entry, nextHighestCpmMicros: number | null): Win {
  const { dspId, impId, offered, clearingCpmMicros } = winner;
  const floorCpmMicros = winner.floorCpmMicros!;
  return {
    ...offered,
    dspId,
    impId,
    format: winner.format!,
    dealId: offered.bid.dealid || null,
    clearingCpmMicros,
    floorCpmMicros,
    minToWinCpmMicros: Math.max(nextHighestCpmMicros ?? 0, floorCpmMicros),
  };
}

/** Reasons of which a higher price would have been the cure. */
const DECIDED_BY_PRICE: ReadonlySet<LossReason> = new Set(['below-floor', 'below-deal-floor', 'lost-to-higher-bid']);

function lossOf(entry: Entry, reason: LossReason, winningCpmMicros: number | null): Loss {
  const { dspId, offered, priceCpmMicros, floorCpmMicros } = entry;
  return {
    dspId,
    offered,
    malformed: null,
    reason,
    priceCpmMicros,
    floorCpmMicros,
    winningCpmMicros,
    minToWinCpmMicros: DECIDED_BY_PRICE.has(reason) ? Math.max(winningCpmMicros ?? 0, floorCpmMicros ?? 0) : null,
  };
}

function malformedLoss(dspId: string, malformed: MalformedBid, winningCpmMicros: number | null): Loss {
  return {
    dspId,
    offered: null,
    malformed,
    reason: 'malformed-bid',
    priceCpmMicros: null,
    floorCpmMicros: null,
    winningCpmMicros,
    minToWinCpmMicros: null,
  };
}
