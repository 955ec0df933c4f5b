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
import type { Rejection } from './rejection.ts';
import { firstInsecureUrl } from './secure-markup.ts';
import { type Contender, selectWinners, type WinnerSelection } from './select-winners.ts';
import { type AuctionRules, type BidVerdict, type CreativeJudge, validateBid } from './validate-bid.ts';

/** The bids of one demand source in one auction. A `BidResponseReading` with outcome `bids` can be passed as it is. */
export interface DspOffer {
  readonly dspId: string;
  readonly currency: string;
  /** US dollars for one unit of the currency; absent: bids in another currency than US dollars are refused. */
  readonly dollarsPerUnit?: number;
  readonly bids: readonly OfferedBid[];
  readonly malformed?: readonly MalformedBid[];
  /** True where the exchange itself makes the markup of winners: these bids need no markup of their own. */
  readonly rendered?: boolean;
}

/** What the publisher and its pool demand beyond the request. */
export interface SellerPolicy {
  /** Whole micro-dollars CPM, as is the pool's floor. */
  readonly publisherFloorCpmMicros: number;
  readonly poolFloorCpmMicros: number;
  /** These categories join `bcat` (IAB Content Taxonomy 1.0); `blockedDomains` join `badv`. */
  readonly blockedCategories: readonly string[];
  readonly blockedDomains: DomainList;
}

export interface AuctionInput {
  readonly request: BidRequest;
  readonly terms: SellerPolicy;
  readonly offers: readonly DspOffer[];
  /**
   * Bids that an earlier round of this auction chose and that cannot be sold, each with its reason. The keys are the
   * same objects as in `offers`. These bids lose for that reason, and their groups lose with them.
   */
  readonly rejected?: ReadonlyMap<Bid, Rejection>;
  /** What people decided about creatives; see `AuctionRules`. */
  readonly review?: CreativeJudge | undefined;
  /** `firstInsecureUrl` of a bid's markup; the rounds of one auction ask it of each bid again. */
  readonly insecureUrlOf?: (markup: string, bid: Bid) => string | null;
  /** Uniform in [0, 1); called only to break ties. */
  readonly random: () => number;
  /**
   * Called with an error that was thrown while a bid was judged, which nothing that a bidder sends should do; the bid
   * then loses as `creative-rejected`, and no other bid does. Absent: the error is thrown.
   */
  readonly failed?: ((error: unknown, dspId: string) => void) | undefined;
}

export interface Win extends OfferedBid {
  readonly dspId: string;
  readonly impId: string;
  readonly format: AdFormat;
  readonly dealId: string | null;
  /** What was bid, in micro-dollars CPM. */
  readonly priceCpmMicros: number;
  /** First price: the bid itself, rounded once to whole micro-dollars CPM; under some deals the agreed price. */
  readonly clearingCpmMicros: number;
  /** The floor that the bid had to reach. */
  readonly floorCpmMicros: number;
  /**
   * `${AUCTION_MIN_TO_WIN}`: the price that would have tied with the next-closest bid, or the floor where there is no
   * other bid.
   */
  readonly minToWinCpmMicros: number;
}

export interface Loss {
  readonly dspId: string;
  /** Null when the bid could not be read as one; `malformed` then says why. */
  readonly offered: OfferedBid | null;
  readonly malformed: MalformedBid | null;
  readonly reason: LossReason;
  /** What caused the loss, where the reason alone does not say it; see `BidVerdict`. */
  readonly detail: string | null;
  /** Null where the bid names no readable price in US dollars. */
  readonly priceCpmMicros: number | null;
  /** The floor that the bid had to reach; null where the bid names no imp of the request. */
  readonly floorCpmMicros: number | null;
  /** The price that the imp was sold for (`${AUCTION_PRICE}` of a lurl); null when no bid won it. */
  readonly winningCpmMicros: number | null;
  /** `${AUCTION_MIN_TO_WIN}`; null where price did not decide the loss. */
  readonly minToWinCpmMicros: number | null;
}

export interface AuctionOutcome {
  /**
   * The wins in the order of the request's imps. An imp has at most one win; a pod's dynamic portion (OpenRTB 2.6 §7.6)
   * has as many as fit, in the order in which they are shown.
   */
  readonly wins: readonly Win[];
  /** Each bid that did not win, exactly once. */
  readonly losses: readonly Loss[];
}

/**
 * Evaluates a first-price auction (OpenRTB 2.6 §4.4.1, §7.3). The function is pure: the same input, random numbers
 * included, gives the same outcome. It never throws for anything that a bidder can send.
 */
export function decideAuction({
  request,
  terms,
  offers,
  rejected,
  review,
  insecureUrlOf = firstInsecureUrl,
  random,
  failed,
}: AuctionInput): AuctionOutcome {
  const breaks = adBreaks(request);
  const rules: AuctionRules = {
    request,
    breaks,
    blockLists: new BlockLists(request, terms),
    rejected,
    review,
    insecureUrlOf,
    sellerFloorCpmMicros: Math.max(terms.publisherFloorCpmMicros, terms.poolFloorCpmMicros),
  };
  const imps = new Map(request.imp.map((imp) => [imp.id, imp]));
  const entries: AuctionEntry[] = [];
  for (const offer of offers) addEntries(entries, offer, imps, rules, failed);
  const broken = brokenGroups(entries, offers);
  const contenders = entries.filter(({ refusal, group }) => refusal === undefined && !broken.has(group));
  const choice = selectWinners(contenders, random, breaks);
  const { winners, withdrawn } = choice;
  /** The lowest price that was paid for the imp: a losing bid had to beat it. */
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

/** A judged bid. A refused bid never becomes a contender. */
interface AuctionEntry extends Contender {
  readonly dspId: string;
  readonly offered: OfferedBid;
  readonly refusal: LossReason | undefined;
  readonly detail: string | null;
  readonly format: AdFormat | null;
  readonly priceCpmMicros: number | null;
  readonly floorCpmMicros: number | null;
}

/** Judges the bids of an offer and adds them to `entries`. */
function addEntries(
  entries: AuctionEntry[],
  offer: DspOffer,
  imps: ReadonlyMap<string, Imp>,
  rules: AuctionRules,
  failed: AuctionInput['failed'],
): void {
  const { dspId, bids, rendered = false } = offer;
  const hasBreaks = rules.breaks.size > 0;
  const repeated = repeatedBids(bids);
  for (const offered of bids) {
    const impId = offered.bid.impid;
    const imp = imps.get(impId);
    const judgement = imp === undefined ? UNPLACED : judged(offered, imp, offer, rules, failed);
    const isRepeated = repeated.has(offered);
    entries.push({
      dspId,
      offered,
      impId,
      group: groupName(dspId, offered.group),
      refusal: isRepeated ? 'duplicate-bid' : judgement.refusal,
      detail: isRepeated ? null : judgement.detail,
      format: judgement.format,
      priceCpmMicros: judgement.priceCpmMicros,
      floorCpmMicros: judgement.floorCpmMicros,
      clearingCpmMicros: judgement.clearingCpmMicros,
      placing: hasBreaks ? podPlacementOf(offered, dspId, rendered) : UNCONSTRAINED_PLACEMENT,
    });
  }
}

function judged(
  offered: OfferedBid,
  imp: Imp,
  offer: DspOffer,
  rules: AuctionRules,
  failed: AuctionInput['failed'],
): BidVerdict | typeof UNJUDGED {
  try {
    return validateBid(offered, imp, offer, rules);
  } catch (error) {
    if (failed === undefined) throw error;
    failed(error, offer.dspId);
    return UNJUDGED;
  }
}

function lowestOf(winners: readonly AuctionEntry[] | undefined): number | null {
  return winners === undefined ? null : Math.min(...winners.map(({ clearingCpmMicros }) => clearingCpmMicros));
}

/** The loss reason of a contender that did not win. */
function lostTo(
  { placing }: AuctionEntry,
  adBreak: AdBreak | undefined,
  winners: ReadonlyMap<string, readonly AuctionEntry[]>,
): LossReason {
  if (adBreak === undefined) return 'lost-to-higher-bid';
  const neighbours = [...adBreak.slots.keys()].flatMap((impId) => winners.get(impId) ?? []);
  const isKeptApart = neighbours.some((winner) => isSeparated(placing, winner.placing, adBreak.separated));
  return isKeptApart ? 'competitive-separation' : 'lost-to-higher-bid';
}

/** The verdict on a bid that names no imp of the request. */
const UNPLACED = {
  refusal: 'unknown-imp',
  detail: null,
  format: null,
  priceCpmMicros: null,
  floorCpmMicros: null,
  clearingCpmMicros: 0,
} as const;

/** The verdict on a bid whose judgement failed. */
const UNJUDGED = { ...UNPLACED, refusal: 'creative-rejected' } as const;

const NONE: ReadonlySet<OfferedBid> = new Set();

/**
 * Finds bids that were sent twice. Bidders number their bids per response or per imp; a bid sent twice would only tie
 * with itself.
 */
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

/** Finds the groups that cannot win every imp they bid on, because a bid that they need was refused. */
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
 * By imp, the next-closest price that its winner had to beat: whole micro-dollars CPM. Withdrawn groups do not count.
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
    priceCpmMicros: winner.priceCpmMicros!,
    clearingCpmMicros,
    floorCpmMicros,
    // In a break, a bid that was kept out of it may have been higher than this winner.
    minToWinCpmMicros: Math.min(Math.max(runnerUpCpmMicros, floorCpmMicros), clearingCpmMicros),
  };
}

/** The reasons that a higher price would have avoided. */
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
