import type { Logger } from '../actor/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { LogProvider } from '../ports/log-provider.ts';
import type { NodeMetrics } from './metrics.ts';
import type { Tuning } from './tuning.ts';

/** A destination of publications: a partition of the log, or the catalogue. */
export type Destination = number | 'catalogue';

interface DestinationHealthDeps {
  readonly provider: LogProvider;
  readonly clock: Clock;
  readonly tuning: Tuning;
  readonly metrics: NodeMetrics;
  readonly logger: Logger;
}

/** A destination that becomes unavailable again within this time after its recovery is probed less and less often. */
const RELAPSE_MS = 5_000;

/**
 * The destinations that the log does not answer for at present. When the log consists of several servers, one of them
 * can be unavailable by itself: the sessions of a node then wait for it only once, and are notified when it is back.
 */
export class DestinationHealth {
  readonly #deps: DestinationHealthDeps;
  readonly #unavailable = new Set<Destination>();
  /** The number of failed probes in a row, and when the destination recovered. */
  readonly #tries = new Map<Destination, { count: number; backAtMs: number }>();
  readonly #listeners = new Set<() => void>();
  readonly #cancels = new Set<() => void>();
  #closed = false;

  constructor(deps: DestinationHealthDeps) {
    this.#deps = deps;
  }

  isUnavailable(destination: Destination): boolean {
    return this.#unavailable.has(destination);
  }

  /** Calls `listener` whenever a destination recovers; the returned function unsubscribes. */
  onRecovered(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Reports that an append to the destination has failed or is late. A late append is passed as `sent`: its success
   * shows that the destination is back.
   */
  reportFailure(destination: Destination, sent: Promise<unknown> | null): void {
    if (this.#closed || this.#unavailable.has(destination)) return;
    const { clock, logger, metrics } = this.#deps;
    this.#unavailable.add(destination);
    metrics.destinationsAway.set(this.#unavailable.size);
    logger.warn({ destination }, 'a destination takes no appends: messages for it are held back');
    const last = this.#tries.get(destination);
    const isRelapse = last !== undefined && clock.monotonic() - last.backAtMs < RELAPSE_MS;
    this.#tries.set(destination, { count: isRelapse ? last.count : 0, backAtMs: 0 });
    if (sent === null) this.#probeLater(destination);
    else
      sent.then(
        () => this.#markRecovered(destination),
        () => this.#probeLater(destination),
      );
  }

  close(): void {
    this.#closed = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }

  #probeLater(destination: Destination): void {
    if (this.#closed) return;
    const { clock, tuning, provider } = this.#deps;
    const [firstMs, mostMs] = tuning.backoffMs;
    const tries = this.#tries.get(destination)!;
    const waitMs = Math.min(mostMs, firstMs * 2 ** Math.min(tries.count++, 20));
    const cancel = clock.after(waitMs, () => {
      this.#cancels.delete(cancel);
      const probe = destination === 'catalogue' ? provider.catalogue.tail() : provider.log.tail(destination);
      probe.then(
        () => this.#markRecovered(destination),
        () => this.#probeLater(destination),
      );
    });
    this.#cancels.add(cancel);
  }

  #markRecovered(destination: Destination): void {
    if (this.#closed) return;
    const { clock, logger, metrics } = this.#deps;
    this.#tries.get(destination)!.backAtMs = clock.monotonic();
    this.#unavailable.delete(destination);
    metrics.destinationsAway.set(this.#unavailable.size);
    logger.info({ destination }, 'a destination takes appends again: held messages are sent');
    for (const listener of this.#listeners) listener();
  }
}
