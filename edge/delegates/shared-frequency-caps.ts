import type { Clock } from '../../runtime/ports/clock.ts';
import type { ExpiringMarks } from '../../runtime/ports/expiring-marks.ts';
import type { FrequencyCap, FrequencyCaps } from './frequency-caps.ts';

export interface FrequencyCapsOptions {
  /** Marks shared by a region's edges. */
  readonly marks: ExpiringMarks;
  readonly clock: Clock;
  /** Name of the environment in which a campaign's impressions are counted; '' for live. */
  readonly scope: (campaignId: string) => string;
  /** Longest wait, ms, of an auction for what devices have seen. Default 25 ms. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 25;
/**
 * Factor by which a winner waits longer for its place than candidates wait for a read: a late answer costs the sale.
 */
const RESERVING_TIMES = 4;
const RETRY_AFTER_MS = 1_000;
/**
 * Upper bound of impressions that wait to be counted. Beyond it, the oldest is forgotten: its device may see one more
 * ad.
 */
const MAX_WAITING = 100_000;
const COUNTED_AT_ONCE = 500;

interface PendingImpression {
  readonly deviceKey: string;
  readonly campaignId: string;
  readonly trackingId: string;
  readonly untilMs: number;
}

/**
 * Frequency caps on shared marks. A viewing is a mark named by the tracking id: first until the render window ends,
 * then, at the same place, until the campaign's window has passed since the impression. So a repeat changes nothing,
 * the window slides, and the place of a sale that was never rendered expires by itself.
 */
export class SharedFrequencyCaps implements FrequencyCaps {
  readonly #options: FrequencyCapsOptions;
  readonly #timeoutMs: number;
  /** Impressions to be counted, by tracking id. */
  readonly #waiting = new Map<string, PendingImpression>();
  #cancelRetry: (() => void) | null = null;
  #counting: Promise<void> = Promise.resolve();
  /** Whether another round follows the one under way, to count all that waits then. */
  #isNext = false;
  #closed = false;

  constructor(options: FrequencyCapsOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  async exhausted(deviceKey: string, caps: readonly FrequencyCap[]): Promise<ReadonlySet<string>> {
    if (caps.length === 0) return new Set();
    const { marks, clock } = this.#options;
    const keys = caps.map(({ campaignId }) => this.#key(campaignId));
    const counts = await this.#inTime(marks.count(deviceKey, keys, clock.now()), this.#timeoutMs);
    const seen = counts === null ? caps : caps.filter(({ maxImpressions }, index) => counts[index]! >= maxImpressions);
    return new Set(seen.map(({ campaignId }) => campaignId));
  }

  async reserve(deviceKey: string, cap: FrequencyCap, trackingId: string, untilMs: number): Promise<boolean> {
    const { marks, clock } = this.#options;
    const at = { group: deviceKey, key: this.#key(cap.campaignId) };
    const placed = marks.putWithin(at, trackingId, untilMs, cap.maxImpressions, clock.now());
    const isTaken = await this.#inTime(placed, RESERVING_TIMES * this.#timeoutMs);
    if (isTaken === null) {
      // Released only once the outcome of the reservation is known: a removal that overtakes its mark would do nothing.
      const release = () => this.release(deviceKey, cap.campaignId, trackingId);
      placed.then(release, release);
    }
    return isTaken ?? false;
  }

  release(deviceKey: string, campaignId: string, trackingId: string): void {
    const at = { group: deviceKey, key: this.#key(campaignId) };
    // If the removal fails, the place is free when the render window ends.
    this.#options.marks.remove(at, trackingId).catch(() => {});
  }

  count(deviceKey: string, campaignId: string, trackingId: string, untilMs: number): void {
    this.#waiting.set(trackingId, { deviceKey, campaignId, trackingId, untilMs });
    if (this.#waiting.size > MAX_WAITING) this.#waiting.delete(this.#waiting.keys().next().value!);
    // While the marks are away, only the timer retries, not every impression.
    if (this.#cancelRetry === null) this.#countSoon();
  }

  /** Tries once more to count the waiting impressions. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#countSoon();
    await this.#counting;
  }

  #countSoon(): void {
    if (this.#isNext) return;
    this.#isNext = true;
    this.#counting = this.#counting.then(() => {
      this.#isNext = false;
      return this.#countWaiting();
    });
  }

  async #countWaiting(): Promise<void> {
    const waiting = [...this.#waiting.values()];
    let counted = true;
    // While the marks are away, one failed batch ends the round.
    for (let from = 0; counted && from < waiting.length; from += COUNTED_AT_ONCE) {
      const some = waiting.slice(from, from + COUNTED_AT_ONCE).map((pending) => this.#count(pending));
      counted = (await Promise.allSettled(some)).every(({ status }) => status === 'fulfilled');
    }
    if (counted || this.#closed || this.#cancelRetry !== null) return;
    this.#cancelRetry = this.#options.clock.after(RETRY_AFTER_MS, () => {
      this.#cancelRetry = null;
      this.#countSoon();
    });
  }

  async #count(pending: PendingImpression): Promise<void> {
    const { marks, clock } = this.#options;
    const { deviceKey, campaignId, trackingId, untilMs } = pending;
    const nowMs = clock.now();
    if (untilMs > nowMs) await marks.put({ group: deviceKey, key: this.#key(campaignId) }, trackingId, untilMs, nowMs);
    if (this.#waiting.get(trackingId) === pending) this.#waiting.delete(trackingId);
  }

  #key(campaignId: string): string {
    return `${this.#options.scope(campaignId)}${campaignId}`;
  }

  /** Null when the answer fails or is late. */
  #inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T | null> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(timeoutMs, () => {
        // A process that was busy first handles the answers that have arrived meanwhile.
        setImmediate(() => resolve(null));
      });
      answer.then(
        (value) => {
          cancel();
          resolve(value);
        },
        () => {
          cancel();
          resolve(null);
        },
      );
    });
  }
}
