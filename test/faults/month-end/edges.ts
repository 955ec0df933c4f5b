import { encodeEnvelope } from '#runtime/node/envelope';
import type { IdempotentEntry, MessageLog } from '#runtime/ports/log';
import type { LogClock } from './log-clock.ts';
import type { MonthEndMarket, PlannedImpression } from './market.ts';
import type { StatementModel } from './model.ts';

const HOUR_MS = 3_600_000;
const AT_ONCE = 1_000;
const TRIES = 10;

/**
 * What edges do to the log: impressions are appended once by their id, to partitions at random. Those that the log has
 * acknowledged go to the model.
 */
export class Edges {
  readonly #log: MessageLog;
  readonly #clock: LogClock;
  readonly #market: MonthEndMarket;
  readonly #model: StatementModel;
  readonly #random: () => number;
  /** The longest time that an append has taken, with its repetitions. */
  longestMs = 0;

  constructor(
    at: { readonly log: MessageLog; readonly clock: LogClock; readonly market: MonthEndMarket },
    model: StatementModel,
    random: () => number,
  ) {
    this.#log = at.log;
    this.#clock = at.clock;
    this.#market = at.market;
    this.#model = model;
    this.#random = random;
  }

  /** Renders these now, by the log's clock, which must stand still until this resolves. */
  async render(planned: readonly PlannedImpression[]): Promise<void> {
    for (let start = 0; start < planned.length; start += AT_ONCE)
      await this.#append(planned.slice(start, start + AT_ONCE));
  }

  async #append(planned: readonly PlannedImpression[]): Promise<void> {
    const { nowMs } = this.#clock;
    const byPartition = new Map<number, IdempotentEntry[]>();
    for (const one of planned) {
      const body = this.#market.render(one, nowMs);
      const partition = Math.floor(this.#random() * this.#log.partitions);
      const entries = byPartition.get(partition) ?? [];
      byPartition.set(partition, entries);
      const soldAtMs = body.soldAtMs!;
      entries.push({
        ...{ id: body.id, bucketMs: soldAtMs - (soldAtMs % HOUR_MS), expiresAtMs: soldAtMs + HOUR_MS },
        payload: encodeEnvelope({ to: `tally/${partition}`, type: 'impression', body }),
      });
      this.#model.add(body, nowMs);
    }
    const sinceMs = performance.now();
    await Promise.all([...byPartition].map(([partition, entries]) => this.#appendOnce(partition, entries)));
    this.longestMs = Math.max(this.longestMs, performance.now() - sinceMs);
  }

  /** An append whose outcome is unknown is repeated, as edges do. */
  async #appendOnce(partition: number, entries: readonly IdempotentEntry[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const outcomes = await this.#log.appendOnce(partition, entries);
        if (outcomes.includes('expired')) throw new Error('an impression was refused as expired');
        return;
      } catch (error) {
        if (tries === TRIES) throw error;
      }
    }
  }
}
