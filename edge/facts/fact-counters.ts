import { type LedgerScope, PLATFORM_OWNER_ID } from '../../actors/ledger/ledger-id.ts';
import { addDelta, emptyDelta, type FactDelta, isEmptyDelta } from './counted.ts';
import { CampaignFacts, DspFacts, PlatformFacts, PublisherFacts } from './counters.ts';
import { type FlushSeconds, flushPeriodS, flushPhase, isInPhase } from './flush-phase.ts';
import { CAMPAIGNS_WITHIN_S, countByAge, SOURCES_WITHIN_S, updatesDue } from './flush-policy.ts';
import { PoolEvaluations } from './pool-evaluations.ts';
import { KEPT_UNSENT_MS, type WaitingUpdate, WaitingUpdates } from './waiting-updates.ts';

const MINUTE_MS = 60_000;

/** Flushes without any count after which a source is forgotten; longer than any auction may take. */
const FORGET_AFTER_FLUSHES = 600;

/** A source's counters and the number of flushes for which they have been empty. */
interface TrackedCounters<F> {
  readonly facts: F;
  idleFlushes: number;
}

/** A campaign's counters and when they began, ms since the epoch. */
interface TrackedCampaign {
  readonly facts: CampaignFacts;
  readonly sinceMs: number;
}

/** Counts on their way to one ledger. */
export interface LedgerUpdate extends WaitingUpdate {
  readonly counters: FactCounters;
  readonly scope: LedgerScope;
  readonly sourceId: string;
  /** Generation of the sandbox ledger that the counts are for. */
  readonly generation: number;
}

/** The account that owns a source; null when this edge does not know it. */
export type AccountOf = (scope: 'publisher' | 'dsp', id: string) => string | null;

/** Receives what one source or the platform has counted, once. */
export type FactObserver = (scope: LedgerScope, owner: string, counts: ReadonlyMap<string, number>) => void;

/** The counters of one environment: live or sandbox. */
export class FactCounters {
  readonly sandbox: boolean;
  readonly platform = new PlatformFacts();
  readonly #publishers = new Map<string, TrackedCounters<PublisherFacts>>();
  readonly #dsps = new Map<string, TrackedCounters<DspFacts>>();
  /** Campaigns with counts since they were last taken, oldest first: most campaigns are quiet most of the time. */
  readonly #campaigns = new Map<string, TrackedCampaign>();
  /** When counts were last taken, ms since the epoch: those of new campaigns begin there. */
  #takenAtMs: number;
  #droppedCampaigns = 0;
  /** Evaluations by a pool's list of delegates: the same array for as long as the delegates are the same. */
  readonly #evaluations = new Map<readonly string[], PoolEvaluations>();
  readonly #waiting = new WaitingUpdates<LedgerUpdate>();
  /** Sandbox generations other than 0, by `<scope>:<id>`. */
  readonly #generations = new Map<string, number>();
  readonly #observe: FactObserver;
  readonly #accountOf: AccountOf;

  constructor(sandbox: boolean, observe: FactObserver, accountOf: AccountOf, nowMs: number) {
    this.sandbox = sandbox;
    this.#takenAtMs = nowMs;
    this.#observe = observe;
    this.#accountOf = accountOf;
  }

  publisher(id: string): PublisherFacts {
    let counting = this.#publishers.get(id);
    if (!counting) {
      counting = { facts: new PublisherFacts(id), idleFlushes: 0 };
      this.#publishers.set(id, counting);
    }
    return counting.facts;
  }

  dsp(id: string): DspFacts {
    let counting = this.#dsps.get(id);
    if (!counting) {
      counting = { facts: new DspFacts(id), idleFlushes: 0 };
      this.#dsps.set(id, counting);
    }
    return counting.facts;
  }

  campaign(id: string, dspId: string): CampaignFacts {
    let counting = this.#campaigns.get(id);
    if (!counting) {
      counting = { facts: new CampaignFacts(id, dspId), sinceMs: this.#takenAtMs };
      this.#campaigns.set(id, counting);
    }
    return counting.facts;
  }

  /**
   * The evaluations of delegates that are evaluated together. The object is valid until the next flush and must not be
   * held longer.
   */
  evaluations(delegateIds: readonly string[]): PoolEvaluations {
    let evaluations = this.#evaluations.get(delegateIds);
    if (!evaluations) {
      evaluations = new PoolEvaluations();
      this.#evaluations.set(delegateIds, evaluations);
    }
    return evaluations;
  }

  /** Takes note of a source's sandbox generation. When it has changed, counts that were not sent are dropped. */
  follow(scope: 'publisher' | 'dsp', id: string, generation: number): void {
    const key = `${scope}:${id}`;
    if (generation === (this.#generations.get(key) ?? 0)) return;
    if (generation === 0) this.#generations.delete(key);
    else this.#generations.set(key, generation);
    this.#countEvaluations();
    (scope === 'publisher' ? this.#publishers : this.#dsps).delete(id);
    this.#waiting.forget(key);
    if (scope === 'publisher') return;
    for (const { facts } of this.#campaigns.values()) if (facts.dspId === id) this.#campaigns.delete(facts.id);
  }

  /** Number of updates whose counts were dropped, because they could not be sent for too long. */
  get dropped(): number {
    return this.#waiting.dropped + this.#droppedCampaigns;
  }

  /** Number of sources with counts that wait for their flush. */
  get waiting(): number {
    return this.#waiting.size + this.#campaigns.size;
  }

  /**
   * Lets the counts of publishers, DSPs, accounts and the platform wait for their flush, by minute, and reports them to
   * the observer. Those of campaigns stay where they are.
   */
  collect(nowMs: number): void {
    this.#countEvaluations();
    this.#takenAtMs = nowMs;
    const platform = this.platform.take();
    const accounts = new Map<string, FactDelta>();
    for (const [owner, counted] of takeEach(this.#publishers)) {
      const { counterparties: _, ...sold } = counted;
      const ofAll = { ...sold, counterparties: new Map() };
      addDelta(platform, ofAll);
      this.#addToAccount(accounts, 'publisher', owner, ofAll);
      this.#observe('publisher', owner, counted.counts);
      this.#wait('publisher', owner, counted, nowMs);
    }
    for (const [owner, counted] of takeEach(this.#dsps)) {
      this.#observe('dsp', owner, counted.counts);
      const bidRequests = counted.counts.get('bidRequests');
      this.#wait('dsp', owner, counted, nowMs);
      if (!bidRequests) continue;
      const evaluations = { ...emptyDelta(), counts: new Map([['bidRequests', bidRequests]]) };
      addDelta(platform, evaluations);
      this.#addToAccount(accounts, 'dsp', owner, evaluations);
    }
    for (const [owner, counted] of accounts) this.#wait('account', owner, counted, nowMs);
    this.#observe('platform', PLATFORM_OWNER_ID, platform.counts);
    if (!isEmptyDelta(platform)) this.#wait('platform', PLATFORM_OWNER_ID, platform, nowMs);
    this.#waiting.dropOld(nowMs);
    for (const { facts, sinceMs } of this.#campaigns.values()) {
      if (nowMs - sinceMs <= KEPT_UNSENT_MS) break;
      this.#campaigns.delete(facts.id);
      this.#droppedCampaigns += 1;
    }
  }

  /**
   * Takes the updates that this flush sends: the oldest `most`, or more where some would wait too long otherwise.
   * Everything is taken where `most` is infinite.
   */
  take(most: number, nowMs: number): LedgerUpdate[] {
    const sinceMs = Array.from(this.#campaigns.values(), (counting) => counting.sinceMs);
    const due = updatesDue(countByAge(sinceMs, nowMs, CAMPAIGNS_WITHIN_S), CAMPAIGNS_WITHIN_S);
    const updates = this.#waiting.take(most - due, SOURCES_WITHIN_S, nowMs);
    let left = Math.max(most - updates.length, due);
    for (const counting of this.#campaigns.values()) {
      if (--left < 0) break;
      updates.push(this.#takeCampaign(counting));
    }
    return updates;
  }

  /**
   * Takes the updates of sources that all edges of the region flush in these seconds (flush-phase.ts), and what would
   * wait too long otherwise.
   */
  takeInPhase(seconds: FlushSeconds): LedgerUpdate[] {
    const { waiting } = this;
    const isDue = (key: string, sinceMs: number, withinS: number) =>
      seconds.upToS - sinceMs / 1_000 >= withinS || isInPhase(flushPhase(key), flushPeriodS(waiting, withinS), seconds);
    const updates = this.#waiting.takeWhere(({ key, sinceMs }) => isDue(key, sinceMs, SOURCES_WITHIN_S));
    for (const counting of this.#campaigns.values()) {
      const { id } = counting.facts;
      if (isDue(`campaign:${id}`, counting.sinceMs, CAMPAIGNS_WITHIN_S)) updates.push(this.#takeCampaign(counting));
    }
    return updates;
  }

  /** Takes one update, to see whether it can be sent; undefined when nothing waits. */
  takeOldest(): LedgerUpdate | undefined {
    const oldest = this.#waiting.takeOldest();
    if (oldest !== undefined) return oldest;
    for (const counting of this.#campaigns.values()) return this.#takeCampaign(counting);
    return undefined;
  }

  /** Puts back an update that was certainly not sent, for the next flush, unless its sandbox was reset meanwhile. */
  putBack(update: LedgerUpdate): void {
    if (update.generation !== (this.#generations.get(update.generationKey) ?? 0)) return;
    this.#waiting.putBack(update);
  }

  /** Adds each delegate's share of its pool's evaluations to its own counters. */
  #countEvaluations(): void {
    for (const [delegateIds, evaluations] of this.#evaluations) {
      for (const id of delegateIds) {
        const times = evaluations.unmatched(id);
        if (times === 0) continue;
        const facts = this.dsp(id);
        facts.bidRequests += times;
        facts.noBids += times;
        facts.unmatched += times;
      }
    }
    this.#evaluations.clear();
  }

  /**
   * Adds a source's counts to its account. In the sandbox each source is reset separately, so an account's figures are
   * the sums of its sources.
   */
  #addToAccount(accounts: Map<string, FactDelta>, scope: 'publisher' | 'dsp', id: string, counted: FactDelta): void {
    const account = this.sandbox ? null : this.#accountOf(scope, id);
    if (account === null) return;
    let sum = accounts.get(account);
    if (!sum) {
      sum = emptyDelta();
      accounts.set(account, sum);
    }
    addDelta(sum, counted);
  }

  #wait(scope: LedgerScope, owner: string, counted: FactDelta, nowMs: number): void {
    this.#waiting.add(this.#update(scope, owner, counted, nowMs));
  }

  #takeCampaign({ facts, sinceMs }: TrackedCampaign): LedgerUpdate {
    this.#campaigns.delete(facts.id);
    return this.#update('campaign', facts.id, facts.take(), sinceMs, `dsp:${facts.dspId}`);
  }

  #update(
    scope: LedgerScope,
    sourceId: string,
    counted: FactDelta,
    sinceMs: number,
    generationKey = `${scope}:${sourceId}`,
  ): LedgerUpdate {
    const generation = this.#generations.get(generationKey) ?? 0;
    const minutes = new Map([[Math.floor(sinceMs / MINUTE_MS) * MINUTE_MS, counted]]);
    return {
      counters: this,
      key: `${scope}:${sourceId}`,
      scope,
      sourceId,
      generationKey,
      generation,
      sinceMs,
      minutes,
    };
  }
}

function* takeEach<F extends PublisherFacts | DspFacts>(
  counters: Map<string, TrackedCounters<F>>,
): Generator<[string, FactDelta]> {
  for (const [id, counting] of counters) {
    const counted = counting.facts.take();
    if (!isEmptyDelta(counted)) {
      counting.idleFlushes = 0;
      yield [id, counted];
    } else if (++counting.idleFlushes > FORGET_AFTER_FLUSHES) {
      counters.delete(id);
    }
  }
}
