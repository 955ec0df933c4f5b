import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { Imp } from '../openrtb/fields/imp.ts';
import type { MalformedBid, OfferedBid } from '../openrtb/parse-bid-response.ts';
import type { DomainList } from '../packed-domains.ts';
import type { AdFormat } from './ad-format.ts';
import { BlockLists } from './block-lists.ts';
import type { LossReason } from './loss-reason.ts';
import { type AdBreak, adBreaks } from './pods/ad-break.ts';
import { isSeparated } from './pods/fill-break.ts';
import { podPlacementOf, UNCONSTRAINED_PLACEMENT } from './pods/pod-placement.ts';
import { type Contender, selectWinners, type WinnerSelection } from './select-winners.ts';
import { type AuctionRules, validateBid } from './validate-bid.ts';

/** What one demand source offers; a `BidResponseReading` with outcome `bids` fits as it is. */
export interface DspOffer {
  readonly dspId: string;
  readonly currency: string;
  readonly bids: readonly OfferedBid[];
  readonly malformed?: readonly MalformedBid[];
  /** The exchange itself makes the markup of those that win: they need not bring any. */
  readonly rendered?: boolean;
}

/** What the publisher and its pool ask for beyond the request. */
export interface SellerPolicy {
  /** Whole micro-dollars CPM. */
  readonly publisherFloorCpmMicros: number;
  readonly poolFloorCpmMicros: number;
  /** Join `bcat` (IAB Content Taxonomy 1.0) and `badv`. */
  readonly blockedCategories: readonly string[];
  readonly blockedDomains: DomainList;
}

export interface AuctionInput {
  readonly request: BidRequest;
  readonly terms: SellerPolicy;
  readonly offers: readonly DspOffer[];
  /**
   * Bids that have turned out not to be fit for sale since an earlier holding of this auction, each the very object in
   * `offers`, and why; they lose for that reason, and their groups with them.
   */
  readonly rejected?: ReadonlyMap<Bid, LossReason>;
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
  /** What is to blame, where the reason alone does not tell; see `Judgement`. */
  readonly detail: string | null;
  /** Null where the bid names no price in US dollars that can be read. */
  readonly priceCpmMicros: number | null;
  /** The floor that the bid had to reach; null where it names no imp of the request. */
  readonly floorCpmMicros: number | null;
  /** What the imp was sold for (`${AUCTION_PRICE}` of a lurl); null when nobody won. */
  readonly winningCpmMicros: number | null;
  /** `${AUCTION_MIN_TO_WIN}`; null where price did not decide the loss. */
  readonly minToWinCpmMicros: number | null;
}

export interface AuctionOutcome {
  /**
   * In the order of the request's imps: at most one for each, and for a pod's dynamic portion (OpenRTB 2.6 §7.6) as many as fit,
   * in the order in which they are shown.
   */
  readonly wins: readonly Win[];
  /** Every bid that did not win, each exactly once. */
  readonly losses: readonly Loss[];
}

/**
 * Holds a first-price auction (OpenRTB 2.6 §4.4.1, §7.3). Pure: the same input, random numbers included, gives the same
 * outcome. Never throws for anything that a bidder can send.
 */
export function decideAuction({ request, terms, offers, rejected, random }: AuctionInput): AuctionOutcome {
  const rules: AuctionRules = {
    request,
    blockLists: new BlockLists(request, terms),
    rejected,
    sellerFloorCpmMicros: Math.max(terms.publisherFloorCpmMicros, terms.poolFloorCpmMicros),
  };
  const imps = new Map(request.imp.map((imp) => [imp.id, imp]));
  const breaks = adBreaks(request);
  const entries: AuctionEntry[] = [];
  for (const offer of offers) for (const entry of entriesOf(offer, imps, rules, breaks.size > 0)) entries.push(entry);
  const broken = brokenGroups(entries, offers);
  const contenders = entries.filter(({ refusal, group }) => refusal === undefined && !broken.has(group));
  const choice = selectWinners(contenders, random, breaks);
  const { winners, withdrawn } = choice;
  /** The lowest of what was paid for it: what a loser had to beat. */
  const soldAtCpmMicros = (impId: string) => lowestOf(winners.get(impId));

  const losses: Loss[] = [];
  for (const { dspId, malformed = [] } of offers) {
    for (const bid of malformed) losses.push(malformedLoss(dspId, bid, soldAtCpmMicros(bid.impId ?? '')));
  }
  for (const entry of entries) {
    if (winners.get(entry.impId)?.includes(entry)) continue;
    const isWithdrawn = broken.has(entry.group) || withdrawn.has(entry);
    const reason = entry.refusal ?? (isWithdrawn ? 'group-not-won' : lostTo(entry, breaks.get(entry.impId), winners));
    losses.push(lossOf(entry, reason, soldAtCpmMicros(entry.impId)));
  }
  const runnerUp = runnersUp(contenders, choice);
  const wins: Win[] = [];
  for (const { id } of request.imp) {
    for (const winner of winners.get(id) ?? []) wins.push(winOf(winner, runnerUp.get(id) ?? 0));
  }
  return { wins, losses };
}

/** A bid in the auction, judged. Those refused never become contenders. */
interface AuctionEntry extends Contender {
  readonly dspId: string;
  readonly offered: OfferedBid;
  readonly refusal: LossReason | undefined;
  readonly detail: string | null;
  readonly format: AdFormat | null;
  readonly priceCpmMicros: number | null;
  readonly floorCpmMicros: number | null;
}

function entriesOf(
  offer: DspOffer,
  imps: ReadonlyMap<string, Imp>,
  rules: AuctionRules,
  hasBreaks: boolean,
): AuctionEntry[] {
  const { dspId, bids } = offer;
  const repeated = repeatedBids(bids);
  return bids.map((offered) => {
    const impId = offered.bid.impid;
    const imp = imps.get(impId);
    const judgement = imp === undefined ? UNPLACED : validateBid(offered, imp, offer, rules);
    return {
      dspId,
      offered,
      impId,
      group: groupName(dspId, offered.group),
      refusal: repeated.has(offered) ? 'duplicate-bid' : judgement.refusal,
      detail: repeated.has(offered) ? null : judgement.detail,
      format: judgement.format,
      priceCpmMicros: judgement.priceCpmMicros,
      floorCpmMicros: judgement.floorCpmMicros,
      clearingCpmMicros: judgement.clearingCpmMicros,
      placing: hasBreaks ? podPlacementOf(offered.bid) : UNCONSTRAINED_PLACEMENT,
    };
  });
}

function lowestOf(winners: readonly AuctionEntry[] | undefined): number | null {
  return winners === undefined ? null : Math.min(...winners.map(({ clearingCpmMicros }) => clearingCpmMicros));
}

/** Why a bid that might have won did not. */
function lostTo(
  { placing }: AuctionEntry,
  adBreak: AdBreak | undefined,
  winners: ReadonlyMap<string, readonly AuctionEntry[]>,
): LossReason {
  if (adBreak === undefined) return 'lost-to-higher-bid';
  const beside = [...adBreak.slots.keys()].flatMap((impId) => winners.get(impId) ?? []);
  const isKeptApart = beside.some((winner) => isSeparated(placing, winner.placing, adBreak.separated));
  return isKeptApart ? 'competitive-separation' : 'lost-to-higher-bid';
}

/** A bid that names no imp of the request. */
const UNPLACED = {
  refusal: 'unknown-imp',
  detail: null,
  format: null,
  priceCpmMicros: null,
  floorCpmMicros: null,
  clearingCpmMicros: 0,
} as const;

const NONE: ReadonlySet<OfferedBid> = new Set();

/** Bidders number their bids per response or per imp; one bid sent twice would only tie with itself. */
function repeatedBids(bids: readonly OfferedBid[]): ReadonlySet<OfferedBid> {
  if (bids.length === 1) return NONE;
  const seen = new Set<string>();
  return new Set(
    bids.filter(({ bid, seat }) => {
      const identity = JSON.stringify([seat, bid.impid, bid.id]);
      return seen.size === seen.add(identity).size;
    }),
  );
}

function groupName(dspId: string, group: number | null): string | null {
  return group === null ? null : `${group} ${dspId}`;
}

/** Groups that cannot win every imp they bid on, because a bid that they need was refused. */
function brokenGroups(entries: readonly AuctionEntry[], offers: readonly DspOffer[]): ReadonlySet<string | null> {
  const broken = new Set<string | null>();
  for (const { dspId, malformed = [] } of offers) {
    for (const { group } of malformed) if (group !== null) broken.add(groupName(dspId, group));
  }
  const grouped = entries.filter(({ group }) => group !== null);
  if (grouped.length === 0) return broken;
  const needs = (entry: AuctionEntry) => `${entry.impId} ${entry.group}`;
  const met = new Set(grouped.filter(({ refusal }) => refusal === undefined).map(needs));
  for (const entry of grouped) if (!met.has(needs(entry))) broken.add(entry.group);
  return broken;
}

/**
 * Per imp, the next-closest price that its winner had to beat: whole micro-dollars CPM. Groups that withdrew were in
 * nobody's way.
 */
function runnersUp(
  contenders: readonly AuctionEntry[],
  { winners, withdrawn }: WinnerSelection<AuctionEntry>,
): ReadonlyMap<string, number> {
  const highest = new Map<string, number>();
  for (const entry of contenders) {
    if (winners.get(entry.impId)?.includes(entry) || withdrawn.has(entry)) continue;
    highest.set(entry.impId, Math.max(highest.get(entry.impId) ?? 0, entry.clearingCpmMicros));
  }
  return highest;
}

function winOf(winner: AuctionEntry, runnerUpCpmMicros: number): Win {
  const { dspId, impId, offered, clearingCpmMicros } = winner;
  const floorCpmMicros = winner.floorCpmMicros!;
  return {
    bid: offered.bid,
    seat: offered.seat,
    group: offered.group,
    dspId,
    impId,
    format: winner.format!,
    dealId: offered.bid.dealid || null,
    clearingCpmMicros,
    floorCpmMicros,
    // In a break, whoever was kept out of it may have bid more.
    minToWinCpmMicros: Math.min(Math.max(runnerUpCpmMicros, floorCpmMicros), clearingCpmMicros),
  };
}

/** Reasons of which a higher price would have been the cure. */
const DECIDED_BY_PRICE: ReadonlySet<LossReason> = new Set(['below-floor', 'below-deal-floor', 'lost-to-higher-bid']);

function lossOf(entry: AuctionEntry, reason: LossReason, winningCpmMicros: number | null): Loss {
  const { dspId, offered, refusal, detail, priceCpmMicros, floorCpmMicros } = entry;
  return {
    dspId,
    offered,
    malformed: null,
    reason,
    detail: reason === refusal ? detail : null,
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
    detail: null,
    priceCpmMicros: null,
    floorCpmMicros: null,
    winningCpmMicros,
    minToWinCpmMicros: null,
  };
}
