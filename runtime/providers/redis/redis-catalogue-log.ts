import { Signal } from '#async/signal';
import type { CatalogueEntry, CatalogueLog } from '../../ports/catalogue-log.ts';
import { LogUnavailable } from '../../ports/errors.ts';
import { positionTimeMs } from '../../ports/position.ts';
import type { Keys } from './keys.ts';
import type { Route, Routes } from './routes.ts';

/** How much of the catalogue log is stored: a follower that falls further behind compares versions with the store. */
export interface KeptCatalogue {
  /** At least this many entries, while their payloads come to at most `bytes`. */
  readonly entries: number;
  readonly bytes: number;
}

/** 200,000 entries of 500 bytes come to 100 MB, and 45,000 campaigns of 2.8 kB to as much as is allowed. */
const DEFAULT_KEPT: KeptCatalogue = { entries: 200_000, bytes: 128 * 1_048_576 };
/** At least this many entries are stored however large they are, unless fewer are asked for. */
const LEAST_ENTRIES = 1_000;
/**
 * The maximum time that a follower waits for the signal before it reads by itself, because a signal may get lost, ms.
 */
const LONGEST_PAUSE_MS = 500;

/**
 * The catalogue log as one bounded stream. Followers read without blocking, so that any number of them shares one
 * connection, and between reads wait for the signal that publishers send through a channel.
 */
export class RedisCatalogueLog implements CatalogueLog {
  readonly #routes: Routes;
  readonly #keys: Keys;
  readonly #kept: KeptCatalogue;
  readonly #published = new Signal();
  #closed = false;

  constructor(routes: Routes, keys: Keys, kept = DEFAULT_KEPT) {
    this.#routes = routes;
    this.#keys = keys;
    this.#kept = kept;
  }

  async publish(payloads: readonly string[]): Promise<void> {
    if (payloads.length === 0) return;
    const stream = this.#keys.catalogue();
    const number = this.#keys.catalogueNumber();
    const sum = this.#keys.catalogueSum();
    const channel = this.#keys.catalogueChannel();
    const { entries, bytes } = this.#kept;
    const least = Math.min(entries, LEAST_ENTRIES);
    await this.#route().runReplicated((commands) =>
      commands.publishViews(stream, number, sum, channel, entries, bytes, least, ...payloads),
    );
  }

  async tail(): Promise<number> {
    return Number(await this.#route().runReplicated((commands) => commands.get(this.#keys.catalogueNumber())));
  }

  async read(after: number, limit: number, waitMs: number): Promise<CatalogueEntry[]> {
    const deadlineMs = performance.now() + waitMs;
    for (;;) {
      if (this.#closed) throw new LogUnavailable('the log is closed');
      const raised = this.#published.raised;
      const raw = await this.#route().runReplicated((commands) =>
        commands.readViews(this.#keys.catalogue(), this.#keys.catalogueNumber(), after, after + 1, limit),
      );
      const leftMs = deadlineMs - performance.now();
      if (raw.length > 0 || leftMs <= 0) {
        return raw.map(([id, fields]) => ({ number: positionTimeMs(id), payload: fields[1]! }));
      }
      await this.#published.wait(Math.min(leftMs, LONGEST_PAUSE_MS), raised);
    }
  }

  /** Must be called when the log has grown or may have grown. */
  notify(): void {
    this.#published.raise();
  }

  close(): void {
    this.#closed = true;
    this.#published.raise();
  }

  #route(): Route {
    return this.#routes.of(this.#keys.catalogue());
  }
}
