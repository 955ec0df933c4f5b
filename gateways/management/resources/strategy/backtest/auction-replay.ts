import type { AuctionRecord, ReplayInput } from '#actors/auction-record/record';
import type { ReadyCreative } from '#edge/catalogue/presented-campaign';
import { CreativeRotation, type RequestTurns } from '#edge/catalogue/turns';
import { delegateBidOf } from '#edge/delegates/delegate-bid';
import { inOrder } from '#edge/delegates/in-order';
import { BlockLists } from '#exchange/auction/block-lists';
import { adBreaks } from '#exchange/auction/pods/ad-break';
import { firstInsecureUrl } from '#exchange/auction/secure-markup';
import { type AuctionRules, validateBid } from '#exchange/auction/validate-bid';
import { acceptsDollars, CURRENCY } from '#exchange/currency/currency';
import type { Imp } from '#exchange/openrtb/fields/imp';
import type { Match } from '#exchange/strategy/index/match';
import type { TargetingContext } from '#exchange/strategy/read-field';
import { BacktestFigures, CampaignFigures, type TestedOutcome } from './backtest-figures.ts';
import { BacktestSpend } from './backtest-spend.ts';
import { highestCompetingPrice } from './competing-price.ts';
import { eligibleCreativesOf, type TestedCampaign, type TestedCampaigns } from './tested-campaigns.ts';

/** The number of campaigns that are evaluated before other work may run. */
const CAMPAIGNS_AT_ONCE = 256;

/** One way of counting: each recorded auction once, or as many times as the auctions that it represents. */
interface ReplayCount {
  readonly total: BacktestFigures;
  readonly campaigns: Map<string, CampaignFigures>;
  readonly spending: BacktestSpend;
  readonly rotation: CreativeRotation;
  /** The turns of the auction that is replayed. */
  turns: RequestTurns;
}

interface Candidate {
  readonly tested: TestedCampaign;
  readonly match: Match;
  readonly eligibleCreatives: readonly [ReadyCreative, ...ReadyCreative[]];
  /** The number of impressions that the budget pays for: at least one. */
  readonly affordable: number;
}

/**
 * Runs recorded auctions again, in the order of their time, with a strategy among the demand. The steps of an edge run
 * the same code as on an edge: matching, the order of campaigns, creatives, floors, block lists. The replay is pure,
 * and gives the same result for the same auctions in the same order.
 */
export class AuctionReplay {
  readonly #dspId: string;
  readonly #campaigns: TestedCampaigns;
  /**
   * The counts of the auctions themselves and of all that they represent. Each has its own spending, since budgets run
   * out at different speeds.
   */
  readonly sample: ReplayCount;
  readonly extrapolated: ReplayCount;
  auctions = 0;
  represented = 0;
  matchedAuctions = 0;
  podImps = 0;

  constructor(dspId: string, dspDailyCents: number, campaigns: TestedCampaigns) {
    this.#dspId = dspId;
    this.#campaigns = campaigns;
    const count = (): ReplayCount => {
      const rotation = new CreativeRotation();
      return {
        total: new BacktestFigures(),
        campaigns: new Map(),
        spending: new BacktestSpend(dspDailyCents),
        rotation,
        turns: rotation.ofRequest(),
      };
    };
    this.sample = count();
    this.extrapolated = count();
  }

  /**
   * Replays one auction. It yields wherever other work may run: with thousands of campaigns, one auction of many imps
   * takes a third of a second.
   */
  *replay(id: string, record: AuctionRecord, { request, terms }: ReplayInput): Generator<void> {
    this.auctions += 1;
    this.represented += record.represents;
    // An edge does not ask a delegate when the request would be paid in another currency.
    if (!acceptsDollars(request)) return;
    const breaks = adBreaks(request);
    const rules: AuctionRules = {
      request,
      breaks,
      blockLists: new BlockLists(request, terms),
      rejected: undefined,
      review: undefined,
      insecureUrlOf: firstInsecureUrl,
      sellerFloorCpmMicros: Math.max(terms.publisherFloorCpmMicros, terms.poolFloorCpmMicros),
    };
    for (const count of [this.sample, this.extrapolated]) count.turns = count.rotation.ofRequest();
    let hasMatched = false;
    for (const imp of request.imp) {
      yield;
      if (breaks.has(imp.id)) {
        this.podImps += 1;
        continue;
      }
      const context: TargetingContext = { request, imp, publisherGenre: terms.publisherGenre };
      const matches = this.#campaigns.match(context, record.atMs);
      if (matches.length === 0) continue;
      hasMatched = true;
      const rival = highestCompetingPrice(record, imp.id, this.#dspId);
      const auction = { id, atMs: record.atMs, rival, rules, imp, view: context };
      yield* this.#bid(this.sample, matches, auction, 1);
      yield* this.#bid(this.extrapolated, matches, auction, record.represents);
    }
    if (hasMatched) this.matchedAuctions += 1;
  }

  *#bid(count: ReplayCount, matches: readonly Match[], auction: TestedImp, times: number): Generator<void> {
    for (const [index, match] of matches.entries()) {
      if (index % CAMPAIGNS_AT_ONCE === 0) yield;
      this.#figures(count, match).matched += times;
      this.#figures(count, match).rule(match.ruleId).matched += times;
    }
    count.total.matched += times;
    const random = seededRandom(`${auction.id} ${auction.imp.id}`);
    const candidate = yield* this.#candidate(count, matches, auction, times, random);
    if (candidate === null) return;
    const { tested, match, eligibleCreatives } = candidate;
    const chosen = tested.unpacked.choose(eligibleCreatives, count.turns, random);
    const bid = delegateBidOf(
      '1',
      auction.imp,
      { unpacked: tested.unpacked, bidCpmMicros: match.bidCpmMicros },
      chosen,
    );
    const offered = { bid, seat: null, group: null, knownAdvertisers: chosen.knownAdvertisers };
    const judged = validateBid(
      offered,
      auction.imp,
      { dspId: this.#dspId, currency: CURRENCY, rendered: true },
      auction.rules,
    );
    const outcome = outcomeOf(judged, auction.rival);
    const price = judged.clearingCpmMicros;
    const figures = this.#figures(count, match);
    // A budget that pays for only some of the impressions still allows bids on all, since losing bids cost nothing.
    const bids = outcome === 'won' ? candidate.affordable : times;
    this.#countUnaffordable(count, match, times - bids);
    count.total.count(outcome, bids, price);
    figures.count(outcome, bids, price);
    figures.addExample(outcome, auction.id);
    const ofRule = figures.rule(match.ruleId);
    ofRule.bids += bids;
    if (judged.refusal !== undefined) {
      figures.refusals.set(judged.refusal, (figures.refusals.get(judged.refusal) ?? 0) + bids);
    }
    if (outcome !== 'won') return;
    ofRule.won += bids;
    count.spending.spend(tested.campaignId, price, bids, auction.atMs);
  }

  /** Chooses the campaign that bids: the first in their order that has budget left and a creative to show. */
  *#candidate(
    count: ReplayCount,
    matches: readonly Match[],
    { view: context, atMs }: TestedImp,
    wanted: number,
    random: () => number,
  ): Generator<void, Candidate | null> {
    let looked = 0;
    for (const match of inOrder(matches, random)) {
      looked += 1;
      if (looked % CAMPAIGNS_AT_ONCE === 0) yield;
      const tested = this.#campaigns.of(match);
      const { budget } = tested.campaign;
      const affordable = count.spending.affordableImpressions(
        tested.campaignId,
        budget,
        match.bidCpmMicros,
        wanted,
        atMs,
      );
      if (affordable === 0) {
        this.#countUnaffordable(count, match, wanted);
        continue;
      }
      const [first, ...others] = eligibleCreativesOf(tested, context);
      if (first !== undefined) return { tested, match, eligibleCreatives: [first, ...others], affordable };
      this.#figures(count, match).withoutCreative += wanted;
      count.total.withoutCreative += wanted;
    }
    return null;
  }

  #countUnaffordable(count: ReplayCount, match: Match, times: number): void {
    this.#figures(count, match).keptBackByBudget += times;
    count.total.keptBackByBudget += times;
  }

  #figures({ campaigns }: ReplayCount, match: Match): CampaignFigures {
    const { campaignId } = this.#campaigns.of(match);
    let figures = campaigns.get(campaignId);
    if (figures === undefined) {
      figures = new CampaignFigures();
      campaigns.set(campaignId, figures);
    }
    return figures;
  }
}

interface TestedImp {
  readonly id: string;
  readonly atMs: number;
  /** The highest price of the other bids, in whole micro-dollars CPM. */
  readonly rival: number;
  readonly rules: AuctionRules;
  readonly imp: Imp;
  readonly view: TargetingContext;
}

/** The outcome of the bid. A bid at the rival's price has even chances in a real auction; here it does not win. */
function outcomeOf({ refusal, clearingCpmMicros }: ReturnType<typeof validateBid>, rival: number): TestedOutcome {
  if (refusal !== undefined) return 'refused';
  if (clearingCpmMicros === rival) return 'tied';
  return clearingCpmMicros > rival ? 'won' : 'outbid';
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Creates a random source, uniform in [0, 1), with the same draws for the same text: FNV-1a seeds mulberry32. */
function seededRandom(text: string): () => number {
  let state = FNV_OFFSET;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), FNV_PRIME);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
