import { type LedgerScope, PLATFORM_OWNER_ID } from '../../actors/ledger/ledger-id.ts';
import { addDelta, emptyDelta, type FactDelta, isEmptyDelta } from './counted.ts';
import { CampaignFacts, DspFacts, PlatformFacts, PublisherFacts } from './counters.ts';
import { PoolEvaluations } from './pool-evaluations.ts';

/** Flushes without any count after which a source is forgotten; longer than any auction may take. */
const FORGET_AFTER_FLUSHES = 600;

/**
 * Campaigns that one flush takes, at least. Campaigns are many, and each that has bid is a message. With more of them,
 * a flush takes enough that each has its turn within {@link CAMPAIGNS_WITHIN_FLUSHES}.
 */
const CAMPAIGNS_AT_ONCE = 200;
/** Flushes within which every campaign that has bid has its turn. */
const CAMPAIGNS_WITHIN_FLUSHES = 45;

/** A source's counters and the number of flushes for which they have been empty. */
interface TrackedCounters<F> {
  readonly facts: F;
  idleFlushes: number;
}

/** Counts on their way to one ledger. */
export interface LedgerUpdate {
  readonly counters: FactCounters;
  readonly scope: LedgerScope;
  readonly sourceId: string;
  /** Key of the sandbox generation that applies, as `<scope>:<id>`; for a campaign it is that of its DSP. */
  readonly generationKey: string;
  /** Generation of the sandbox ledger that the counts are for. */
  readonly generation: number;
  readonly counted: FactDelta;
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
  /** Campaigns with counts since they were last taken: most campaigns are quiet most of the time. */
  readonly #campaigns = new Map<string, CampaignFacts>();
  /** Evaluations by a pool's list of delegates: the same array for as long as the delegates are the same. */
  readonly #evaluations = new Map<readonly string[], PoolEvaluations>();
  readonly #unsent = new Map<string, LedgerUpdate>();
  /** Sandbox generations other than 0, by `<scope>:<id>`. */
  readonly #generations = new Map<string, number>();
  readonly #observe: FactObserver;
  readonly #accountOf: AccountOf;

  constructor(sandbox: boolean, observe: FactObserver, accountOf: AccountOf) {
    this.sandbox = sandbox;
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
    let facts = this.#campaigns.get(id);
    if (!facts) {
      facts = new CampaignFacts(id, dspId);
      this.#campaigns.set(id, facts);
    }
    return facts;
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
    for (const [name, { generationKey }] of this.#unsent) if (generationKey === key) this.#unsent.delete(name);
    if (scope === 'publisher') return;
    for (const { id: name, dspId } of this.#campaigns.values()) if (dspId === id) this.#campaigns.delete(name);
  }

  /**
   * Takes what was counted since the last call, with what could not be sent then. Takes only a part of the campaigns,
   * unless `everything`.
   */
  take(everything: boolean): LedgerUpdate[] {
    this.#countEvaluations();
    const updates = [...this.#unsent.values()];
    this.#unsent.clear();
    const platform = this.platform.take();
    const accounts = new Map<string, FactDelta>();
    for (const [owner, counted] of takeEach(this.#publishers)) {
      updates.push(this.#parcel('publisher', owner, counted));
      this.#observe('publisher', owner, counted.counts);
      const { counterparties: _, ...sold } = counted;
      const ofAll = { ...sold, counterparties: new Map() };
      addDelta(platform, ofAll);
      this.#addToAccount(accounts, 'publisher', owner, ofAll);
    }
    for (const [owner, counted] of takeEach(this.#dsps)) {
      updates.push(this.#parcel('dsp', owner, counted));
      this.#observe('dsp', owner, counted.counts);
      const bidRequests = counted.counts.get('bidRequests');
      if (!bidRequests) continue;
      const evaluations = { ...emptyDelta(), counts: new Map([['bidRequests', bidRequests]]) };
      addDelta(platform, evaluations);
      this.#addToAccount(accounts, 'dsp', owner, evaluations);
    }
    for (const [owner, counted] of accounts) updates.push(this.#parcel('account', owner, counted));
    const some = Math.max(CAMPAIGNS_AT_ONCE, Math.ceil(this.#campaigns.size / CAMPAIGNS_WITHIN_FLUSHES));
    let left = everything ? Number.POSITIVE_INFINITY : some;
    for (const facts of this.#campaigns.values()) {
      // Sales without a lease do not wait for their turn: a limit that is set now must count them.
      if (--left < 0 && !facts.unleased.hasAny) continue;
      this.#campaigns.delete(facts.id);
      updates.push(this.#parcel('campaign', facts.id, facts.take(), `dsp:${facts.dspId}`));
    }
    if (!isEmptyDelta(platform)) updates.push(this.#parcel('platform', PLATFORM_OWNER_ID, platform));
    this.#observe('platform', PLATFORM_OWNER_ID, platform.counts);
    return updates;
  }

  /** Puts back an update that was certainly not sent, for the next flush, unless its sandbox was reset meanwhile. */
  putBack(update: LedgerUpdate): void {
    const key = `${update.scope}:${update.sourceId}`;
    if (update.generation !== (this.#generations.get(update.generationKey) ?? 0)) return;
    const waiting = this.#unsent.get(key);
    if (waiting) addDelta(waiting.counted, update.counted);
    else this.#unsent.set(key, update);
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

  #parcel(scope: LedgerScope, owner: string, counted: FactDelta, generationKey = `${scope}:${owner}`): LedgerUpdate {
    const generation = this.#generations.get(generationKey) ?? 0;
    return { counters: this, scope, sourceId: owner, generationKey, generation, counted };
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
