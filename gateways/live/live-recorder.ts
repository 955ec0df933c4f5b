import { Ticker } from '../../async/ticker.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { ExpiringSums, SumChange } from '../../runtime/ports/expiring-sums.ts';
import { bucketOf, type LiveCounter, sumExpiresAtMs, sumKey } from './live-counts.ts';

/** The owner of a publisher. */
export interface PublisherOwner {
  readonly accountId: string;
  readonly partnerId: string | null;
}

export interface LiveRecorderOptions {
  /** The sums of the whole exchange; edges of every region add to them. */
  readonly sums: ExpiringSums;
  readonly clock: Clock;
  /** The region of this edge. */
  readonly region: string;
  /**
   * Answers the owner of a publisher; null when this edge does not know it: its counts are then left out of the live
   * figures.
   */
  readonly ownerOf: (publisherId: string) => PublisherOwner | null;
}

/** A sum of the live figures that has changed since the last flush. */
interface ChangedSum {
  readonly expiresAtMs: number;
  amount: number;
}

/** The sums that a publisher's share of an impression goes into, while their time lasts. */
interface Earnings {
  readonly bucketMs: number;
  readonly sums: readonly ChangedSum[];
}

const FLUSH_EVERY_MS = 1_000;
const COUNTS = ['auctions', 'imps', 'filledImps'] as const;

/**
 * Adds the counts of an edge for each account and each partner to sums that all edges share, once a second. No report
 * and no invoice uses these live figures: counts that cannot be sent are dropped, and never sent twice.
 */
export class LiveRecorder {
  readonly #options: LiveRecorderOptions;
  #changes = new Map<string, ChangedSum>();
  /**
   * By publisher: the sums of its impressions are looked up with the first one since a flush, and not with each. They
   * are those of the publisher's owner at that moment.
   */
  #earnings = { live: new Map<string, Earnings>(), sandbox: new Map<string, Earnings>() };
  readonly #sending: Ticker;
  #lostUpdates = 0;

  constructor(options: LiveRecorderOptions) {
    this.#options = options;
    this.#sending = new Ticker(options.clock, FLUSH_EVERY_MS, () => this.#send());
  }

  /** Number of sums that an update may not have reached. */
  get lostUpdates(): number {
    return this.#lostUpdates;
  }

  /** Counts a publisher's requests since the last call, from the counts that its ledger gets. */
  count(publisherId: string, sandbox: boolean, counts: ReadonlyMap<string, number>): void {
    for (const name of COUNTS) this.#add(publisherId, sandbox, name, counts.get(name) ?? 0);
  }

  /** Counts one billed impression: the publisher's share of it, in whole nano-dollars. */
  earned(publisherId: string, sandbox: boolean, netNanos: number): void {
    if (netNanos === 0) return;
    const bucketMs = bucketOf(this.#options.clock.now());
    const earnings = sandbox ? this.#earnings.sandbox : this.#earnings.live;
    let earning = earnings.get(publisherId);
    if (earning?.bucketMs !== bucketMs) {
      earning = { bucketMs, sums: this.#sums(publisherId, sandbox, 'netNanos', bucketMs) };
      if (earning.sums.length > 0) earnings.set(publisherId, earning);
    }
    for (const sum of earning.sums) sum.amount += netNanos;
  }

  start(): void {
    this.#sending.start();
  }

  /** Sends all counts in one round trip. Never rejects. */
  flush(): Promise<void> {
    return this.#sending.now();
  }

  /** Stops the timer and sends the last counts. */
  async close(): Promise<void> {
    await this.#sending.stop();
    await this.flush();
  }

  async #send(): Promise<void> {
    this.#earnings = { live: new Map(), sandbox: new Map() };
    if (this.#changes.size === 0) return;
    const changes: SumChange[] = [...this.#changes].map(([key, change]) => ({ key, ...change }));
    this.#changes = new Map();
    const added = await this.#options.sums.add(changes);
    for (const one of added) if (!one) this.#lostUpdates += 1;
  }

  #add(publisherId: string, sandbox: boolean, counted: LiveCounter, amount: number): void {
    if (amount === 0) return;
    const bucketMs = bucketOf(this.#options.clock.now());
    for (const sum of this.#sums(publisherId, sandbox, counted, bucketMs)) sum.amount += amount;
  }

  /** The sums that a publisher's counts go into: its account's and its partner's. */
  #sums(publisherId: string, sandbox: boolean, counted: LiveCounter, bucketMs: number): readonly ChangedSum[] {
    const owner = this.#options.ownerOf(publisherId);
    if (owner === null) return [];
    const { accountId, partnerId } = owner;
    return (partnerId === null ? [null] : [null, partnerId]).map((partner) => {
      const key = sumKey({ accountId, partnerId: partner, sandbox }, this.#options.region, bucketMs, counted);
      let sum = this.#changes.get(key);
      if (sum === undefined) {
        sum = { amount: 0, expiresAtMs: sumExpiresAtMs(bucketMs) };
        this.#changes.set(key, sum);
      }
      return sum;
    });
  }
}
