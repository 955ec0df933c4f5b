import { Ticker } from '../../async/ticker.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { ExpiringSums, SumChange } from '../../runtime/ports/expiring-sums.ts';
import { bucketOf, type LiveCounter, sumExpiresAtMs, sumKey } from './live-counts.ts';

/** Whose publisher it is. */
export interface PublisherOwner {
  readonly accountId: string;
  readonly partnerId: string | null;
}

export interface LiveRecorderOptions {
  /** Of the whole exchange: edges of every region add to the same. */
  readonly sums: ExpiringSums;
  readonly clock: Clock;
  /** Of this edge. */
  readonly region: string;
  /** Null when it is not known here: then nobody is shown what it sells. */
  readonly ownerOf: (publisherId: string) => PublisherOwner | null;
}

const FLUSH_EVERY_MS = 1_000;
const COUNTS = ['auctions', 'imps', 'filledImps'] as const;

/**
 * An edge's heartbeat: what it has sold for each account, and each partner, in the last second, into sums that all edges share.
 * Figures of the moment, which no report and no invoice uses: what cannot be told is forgotten, and never told twice.
 */
export class LiveRecorder {
  readonly #options: LiveRecorderOptions;
  #changes = new Map<string, { readonly expiresAtMs: number; amount: number }>();
  readonly #sending: Ticker;
  #lostUpdates = 0;

  constructor(options: LiveRecorderOptions) {
    this.#options = options;
    this.#sending = new Ticker(options.clock, FLUSH_EVERY_MS, () => this.#send());
  }

  /** Sums that may not have been added to. */
  get lostUpdates(): number {
    return this.#lostUpdates;
  }

  /** What a publisher's requests have come to since the last time: the counts that its ledger is told. */
  count(publisherId: string, sandbox: boolean, counts: ReadonlyMap<string, number>): void {
    for (const name of COUNTS) this.#add(publisherId, sandbox, name, counts.get(name) ?? 0);
  }

  /** One impression was billed: the publisher's share of it, whole nano-dollars. */
  earned(publisherId: string, sandbox: boolean, netNanos: number): void {
    this.#add(publisherId, sandbox, 'netNanos', netNanos);
  }

  start(): void {
    this.#sending.start();
  }

  /** One round trip for all that was counted. Never rejects. */
  flush(): Promise<void> {
    return this.#sending.now();
  }

  /** Ends the timer and tells the last of it. */
  async close(): Promise<void> {
    await this.#sending.stop();
    await this.flush();
  }

  async #send(): Promise<void> {
    if (this.#changes.size === 0) return;
    const changes: SumChange[] = [...this.#changes].map(([key, change]) => ({ key, ...change }));
    this.#changes = new Map();
    const added = await this.#options.sums.add(changes);
    for (const one of added) if (!one) this.#lostUpdates += 1;
  }

  #add(publisherId: string, sandbox: boolean, counted: LiveCounter, amount: number): void {
    if (amount === 0) return;
    const { ownerOf, clock, region } = this.#options;
    const owner = ownerOf(publisherId);
    if (owner === null) return;
    const bucketMs = bucketOf(clock.now());
    const { accountId, partnerId } = owner;
    for (const whose of partnerId === null ? [null] : [null, partnerId]) {
      const key = sumKey({ accountId, partnerId: whose, sandbox }, region, bucketMs, counted);
      const change = this.#changes.get(key);
      if (change) change.amount += amount;
      else this.#changes.set(key, { amount, expiresAtMs: sumExpiresAtMs(bucketMs) });
    }
  }
}
