import { boundedRowName } from '../../actors/ledger/row-name.ts';
import { addCount, type BidCounts, emptyDelta, type FactDelta, noBidCounts } from './counted.ts';
import { LatencyRecorder } from './latency-recorder.ts';

/** How often something happened, by its reason. */
class ReasonCounts {
  readonly #byReason = new Map<string, { times: number }>();

  add(reason: string, times = 1): void {
    const counted = this.#byReason.get(reason);
    if (counted) counted.times += times;
    else this.#byReason.set(reason, { times });
  }

  /** As `name/reason`; begins anew. */
  moveTo(counts: Map<string, number>, name: string): void {
    for (const [reason, { times }] of this.#byReason) addCount(counts, `${name}/${reason}`, times);
    this.#byReason.clear();
  }
}

/** Bids, wins and views by the name of whom or what they were with. */
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

  moveTo(dealings: Map<string, BidCounts>): void {
    for (const [name, counts] of this.#byName) dealings.set(name, counts);
    this.#byName.clear();
  }

  #of(name: string): BidCounts {
    // A name that books know is its own: it need not be looked at again.
    const known = this.#byName.get(name);
    if (known) return known;
    const booked = boundedRowName(name);
    let dealings = this.#byName.get(booked);
    if (!dealings) {
      dealings = noBidCounts();
      this.#byName.set(booked, dealings);
    }
    return dealings;
  }
}

/** What was sold while its holder had no limit, by budget slot. What comes to nothing after all stays: it bounds what may come. */
class UnleasedByWindow {
  readonly #bySlot = new Map<number, number>();

  get hasAny(): boolean {
    return this.#bySlot.size > 0;
  }

  add(slotMs: number, nanos: number): void {
    this.#bySlot.set(slotMs, (this.#bySlot.get(slotMs) ?? 0) + nanos);
  }

  moveTo(unleased: Map<number, number>): void {
    for (const [slotMs, nanos] of this.#bySlot) addCount(unleased, slotMs, nanos);
    this.#bySlot.clear();
  }
}

/** What happened at one publisher since the last flush. Count by assignment: `publisher.auctions += 1`. */
export class PublisherFacts {
  readonly id: string;
  /** Requests that reached the auction. */
  auctions = 0;
  /** Imps auctioned. */
  imps = 0;
  /** Imps answered with an ad. */
  filledImps = 0;
  /** Requests answered 403. */
  readonly blocked = new ReasonCounts();
  /** Requests of which something about the viewer was withheld from bidders, by each reason. */
  readonly privacy = new ReasonCounts();
  /** Calls of the tracking pixel, by outcome. */
  readonly impressionCalls = new ReasonCounts();
  /** Impressions that a tag found `measurable`, and `viewable`. */
  readonly views = new ReasonCounts();
  /** Calls of the view beacon that did not count, by reason. */
  readonly viewCalls = new ReasonCounts();
  /** From the arrival of the request to our answer. */
  readonly latency = new LatencyRecorder();
  /** By DSP id. */
  readonly bidCountsByDsp = new BidCountsByName();

  constructor(id: string) {
    this.id = id;
  }

  take(): FactDelta {
    const taken = emptyDelta();
    addCount(taken.counts, 'auctions', this.auctions);
    addCount(taken.counts, 'imps', this.imps);
    addCount(taken.counts, 'filledImps', this.filledImps);
    this.auctions = 0;
    this.imps = 0;
    this.filledImps = 0;
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

/** What happened with one DSP since the last flush. */
export class DspFacts {
  readonly id: string;
  /** Requests sent, or evaluated for a delegate. */
  bidRequests = 0;
  /** Answers with a bid, and evaluations of a delegate with one. */
  offers = 0;
  /** Answers without a bid, and evaluations of a delegate without one. */
  noBids = 0;
  /** Of a delegate's `noBids`: none of its campaigns matched. The one of `keptBack` that nearly every auction has, of many. */
  unmatched = 0;
  timeouts = 0;
  /** Bids received, losing ones too. */
  bids = 0;
  wins = 0;
  /** Bids whose categories are of a taxonomy that is not known, so that they were judged by all else. */
  unknownTaxonomy = 0;
  /** Answers that could not be used. */
  readonly errors = new ReasonCounts();
  /** Bids that did not win. */
  readonly losses = new ReasonCounts();
  /** Of a delegate's `noBids`: what kept its campaigns back, where one matched. */
  readonly nonBidding = new ReasonCounts();
  /** Candidates that were not called (breaker open, rate, concurrency). */
  readonly notCalled = new ReasonCounts();
  /** Cookie syncs, by what became of them. */
  readonly userSyncs = new ReasonCounts();
  /** Its impressions that a tag found `measurable`, and `viewable`. */
  readonly views = new ReasonCounts();
  /** From our request to its answer. */
  readonly latency = new LatencyRecorder();
  /** By publisher id. */
  readonly bidCountsByPublisher = new BidCountsByName();
  /** By `crid`. */
  readonly bidCountsByCreative = new BidCountsByName();
  readonly unleased = new UnleasedByWindow();

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
    this.unleased.moveTo(taken.unleased);
    return taken;
  }
}

/** What a delegate's campaign has bid and won since the last flush; what it is shown and spends, the tallies say. */
export class CampaignFacts {
  readonly id: string;
  readonly dspId: string;
  bids = 0;
  wins = 0;
  /** By `crid`. */
  readonly bidCountsByCreative = new BidCountsByName();
  readonly unleased = new UnleasedByWindow();

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
    this.unleased.moveTo(taken.unleased);
    return taken;
  }
}

/** What belongs to no publisher that we know. The rest of the platform's counts are the publishers' and DSPs', added up. */
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
