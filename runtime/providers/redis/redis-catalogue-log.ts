import type { CatalogueEntry, CatalogueLog } from '../../ports/catalogue-log.ts';
import { LogUnavailable } from '../../ports/errors.ts';
import { positionTimeMs } from '../../ports/position.ts';
import { Bell } from './bell.ts';
import type { RedisCommands } from './client.ts';
import type { Keys } from './keys.ts';
import type { ReplicaBarrier } from './replica-barrier.ts';
import type { Requests } from './requests.ts';

/** At least so many entries are kept: a follower that falls further behind takes a new snapshot. */
const KEEP_ENTRIES = 10_000;
/** How long a follower waits at most for the bell before it looks by itself, for a ring may get lost. */
const LONGEST_PAUSE_MS = 500;

/**
 * The catalogue log: one bounded stream. Followers read without blocking, so that any number of them shares one
 * connection, and between reads wait for the bell that publishers ring through a channel.
 */
export class RedisCatalogueLog implements CatalogueLog {
  readonly #commands: RedisCommands;
  readonly #requests: Requests;
  readonly #keys: Keys;
  readonly #barrier: ReplicaBarrier;
  readonly #published = new Bell();
  #closed = false;

  constructor(commands: RedisCommands, requests: Requests, keys: Keys, barrier: ReplicaBarrier) {
    this.#commands = commands;
    this.#requests = requests;
    this.#keys = keys;
    this.#barrier = barrier;
  }

  async publish(payloads: readonly string[]): Promise<void> {
    if (payloads.length === 0) return;
    const stream = this.#keys.catalogue();
    const number = this.#keys.catalogueNumber();
    const channel = this.#keys.catalogueChannel();
    await this.#requests.run(() =>
      this.#barrier.cover(this.#commands.publishViews(stream, number, channel, KEEP_ENTRIES, ...payloads)),
    );
  }

  async tail(): Promise<number> {
    return Number(await this.#requests.run(() => this.#commands.get(this.#keys.catalogueNumber())));
  }

  async read(after: number, limit: number, waitMs: number): Promise<CatalogueEntry[]> {
    const deadlineMs = performance.now() + waitMs;
    for (;;) {
      if (this.#closed) throw new LogUnavailable('the log is closed');
      const rings = this.#published.rings;
      const raw = await this.#requests.run(() =>
        this.#commands.readViews(this.#keys.catalogue(), this.#keys.catalogueNumber(), after, after + 1, limit),
      );
      const leftMs = deadlineMs - performance.now();
      if (raw.length > 0 || leftMs <= 0) {
        return raw.map(([id, fields]) => ({ number: positionTimeMs(id), payload: fields[1]! }));
      }
      await this.#published.wait(rings, Math.min(leftMs, LONGEST_PAUSE_MS));
    }
  }

  /** The log has grown, or may have. */
  ring(): void {
    this.#published.ring();
  }

  close(): void {
    this.#closed = true;
    this.#published.ring();
  }
}
