import { boundedRowName } from '../../actors/ledger/row-name.ts';
import { addCount, type BidCounts, emptyDelta, type FactDelta, noBidCounts } from './counted.ts';
import { LatencyRecorder } from './latency-recorder.ts';

/** Counts of one kind of event, by reason. */
class ReasonCounts {
  readonly #byReason = new Map<string, { times: number }>();

  add(reason: string, times = 1): void {
    const counted = this.#byReason.get(reason);
    if (counted) counted.times += times;
    else this.#byReason.set(reason, { times });
  }

  /** Moves the counts into `counts` as `name/reason`, and starts from 0. */
  moveTo(counts: Map<string, number>, name: string): void {
    for (const [reason, { times }] of this.#byReason) addCount(counts, `${name}/${reason}`, times);
    this.#byReason.clear();
  }
}

/** Bids, wins and viewability by the name of a counterparty or creative. */
class BidCountsByName {
  readonly #byName = new Map<string, BidCounts>();

  bid(name: string): void {
    this.#of(name).bids += 1;
  }

  win(name: string): void {
    this.#of(name).wins += 1;
  }

  addViewability(name: string, event: 'measurable' | 'viewable'): void {
    this.#of(name)[event] += 1;
  }

  moveTo(target: Map<string, BidCounts>): void {
    for (const [name, counts] of this.#byName) target.set(name, counts);
    this.#byName.clear();
  }

  #of(name: string): BidCounts {
    // A name that the map holds is a ledger's row name already and needs no bounding.
    const known = this.#byName.get(name);
    if (known) return known;
    const rowName = boundedRowName(name);
    let target = this.#byName.get(rowName);
    if (!target) {
      target = noBidCounts();
      this.#byName.set(rowName, target);
    }
    return target;
  }
}

/** Counts of one publisher since the last flush. Count by assignment: `publisher.auctions += 1`. */
export class PublisherFacts {
  readonly id: string;
  /** Requests that reached the auction. */
  auctions = 0;
  /** Imps auctioned. */
  imps = 0;
  /** Imps that got at least one ad. */
  filledImps = 0;
  /** Imps whose answer its callers report as too late for them. */
  callerTimeouts = 0;
  /** Requests answered with 403. */
  readonly blocked = new ReasonCounts();
  /** Requests of which something about the viewer was withheld from bidders, by each reason. */
  readonly privacy = new ReasonCounts();
  /** Calls of the tracking pixel, by outcome. */
  readonly impressionCalls = new ReasonCounts();
  /** Impressions that a tag found `measurable`, and `viewable`. */
  readonly views = new ReasonCounts();
  /** Calls of the view beacon that did not count, by reason. */
  readonly viewCalls = new ReasonCounts();
  /** Time from the arrival of the request to the exchange's answer. */
  readonly latency = new LatencyRecorder();
  /** Bid counts by DSP id. */
  readonly bidCountsByDsp = new BidCountsByName();

  constructor(id: string) {
    this.id = id;
  }

  take(): FactDelta {
    const taken = emptyDelta();
    addCount(taken.counts, 'auctions', this.auctions);
    addCount(taken.counts, 'imps', this.imps);
    addCount(taken.counts, 'filledImps', this.filledImps);
    addCount(taken.counts, 'callerTimeouts', this.callerTimeouts);
    this.auctions = 0;
    this.imps = 0;
    this.filledImps = 0;
    this.callerTimeouts = 0;
    this.blocked.moveTo(taken.counts, 'blocked');
    this.privacy.moveTo(taken.counts, 'privacy');
    this.impressionCalls.moveTo(taken.counts, 'impressionCalls');
    this.views.moveTo(taken.counts, 'views');
    this.viewCalls.moveTo(taken.counts, 'viewCalls');
    this.latency.moveTo(taken.latency);
    this.bidCountsByDsp.moveTo(taken.counterparties);
    return taken;
  }
}

/** Counts of one DSP since the last flush. */
export class DspFacts {
  readonly id: string;
  /** Bid requests sent, or evaluations of a delegate. */
  bidRequests = 0;
  /** Answers with a bid, and evaluations of a delegate with one. */
  offers = 0;
  /** Answers without a bid, and evaluations of a delegate without one. */
  noBids = 0;
  /**
   * Those of a delegate's `noBids` in which none of its campaigns matched. Of all reasons it is the one that nearly
   * every auction has, for many delegates.
   */
  unmatched = 0;
  timeouts = 0;
  /** Bids received, losing bids included. */
  bids = 0;
  wins = 0;
  /** Bids whose categories are of an unknown taxonomy; all other checks applied to them. */
  unknownTaxonomy = 0;
  /** Answers that could not be used. */
  readonly errors = new ReasonCounts();
  /** Bids that did not win. */
  readonly losses = new ReasonCounts();
  /** Those of a delegate's `noBids` in which a campaign matched, by what kept its campaigns back. */
  readonly nonBidding = new ReasonCounts();
  /** Auctions in which it was a candidate and was not called (breaker open, rate, concurrency). */
  readonly notCalled = new ReasonCounts();
  /** Cookie syncs, by outcome. */
  readonly userSyncs = new ReasonCounts();
  /** Its impressions that a tag found `measurable`, and `viewable`. */
  readonly views = new ReasonCounts();
  /** Time from the exchange's request to the DSP's answer. */
  readonly latency = new LatencyRecorder();
  /** Bid counts by publisher id. */
  readonly bidCountsByPublisher = new BidCountsByName();
  /** Bid counts by `crid`. */
  readonly bidCountsByCreative = new BidCountsByName();

  constructor(id: string) {
    this.id = id;
  }

  take(): FactDelta {
    const taken = emptyDelta();
    addCount(taken.counts, 'bidRequests', this.bidRequests);
    addCount(taken.counts, 'noBids', this.noBids);
    addCount(taken.counts, 'offers', this.offers);
    addCount(taken.counts, 'timeouts', this.timeouts);
    addCount(taken.counts, 'bids', this.bids);
    addCount(taken.counts, 'wins', this.wins);
    addCount(taken.counts, 'unknownTaxonomy', this.unknownTaxonomy);
    addCount(taken.counts, 'keptBack/no-match', this.unmatched);
    this.bidRequests = 0;
    this.offers = 0;
    this.noBids = 0;
    this.unmatched = 0;
    this.timeouts = 0;
    this.bids = 0;
    this.wins = 0;
    this.unknownTaxonomy = 0;
    this.errors.moveTo(taken.counts, 'errors');
    this.losses.moveTo(taken.counts, 'losses');
    this.nonBidding.moveTo(taken.counts, 'keptBack');
    this.notCalled.moveTo(taken.counts, 'notCalled');
    this.userSyncs.moveTo(taken.counts, 'userSyncs');
    this.views.moveTo(taken.counts, 'views');
    this.latency.moveTo(taken.latency);
    this.bidCountsByPublisher.moveTo(taken.counterparties);
    this.bidCountsByCreative.moveTo(taken.creatives);
    return taken;
  }
}

/** Bids and wins of a delegate's campaign since the last flush. Impressions and spend are in the impression rollups. */
export class CampaignFacts {
  readonly id: string;
  readonly dspId: string;
  bids = 0;
  wins = 0;
  /** Bid counts by `crid`. */
  readonly bidCountsByCreative = new BidCountsByName();

  constructor(id: string, dspId: string) {
    this.id = id;
    this.dspId = dspId;
  }

  take(): FactDelta {
    const taken = emptyDelta();
    addCount(taken.counts, 'bids', this.bids);
    addCount(taken.counts, 'wins', this.wins);
    this.bids = 0;
    this.wins = 0;
    this.bidCountsByCreative.moveTo(taken.creatives);
    return taken;
  }
}

/**
 * Counts that belong to no known publisher. The platform's other counts are the sums of those of publishers and DSPs.
 */
export class PlatformFacts {
  readonly blocked = new ReasonCounts();
  readonly impressionCalls = new ReasonCounts();
  readonly viewCalls = new ReasonCounts();

  take(): FactDelta {
    const taken = emptyDelta();
    this.blocked.moveTo(taken.counts, 'blocked');
    this.impressionCalls.moveTo(taken.counts, 'impressionCalls');
    this.viewCalls.moveTo(taken.counts, 'viewCalls');
    return taken;
  }
}
