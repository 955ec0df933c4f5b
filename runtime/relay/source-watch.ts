import { Ticker } from '../../async/ticker.ts';
import type { Logger } from '../actor/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { KnownSource, RelayedAppends } from '../ports/relayed.ts';
import { registerSource } from './register-source.ts';
import { sourceName } from './source-name.ts';
import { writtenOffIn } from './written-off.ts';

export interface SourceWatchOptions {
  readonly region: Pick<RelayedAppends, 'identity'>;
  readonly home: RelayedAppends;
  /** The number of partitions of either log. */
  readonly partitions: number;
  readonly regionName: string;
  /** The name of the log's data that home knows already. */
  readonly identity: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const LOOK_EVERY_MS = 1_000;
/** Write-offs begin with this partition. */
const FIRST_PARTITION = 0;

/**
 * Looks each second whether the region's log is still the one that home knows. Home is told of a log that was made
 * anew: budgets would not wait for what is taken into it otherwise. What home has written off is billed by nobody, for
 * ever. What is known stays while either log is away.
 */
export class SourceWatch implements KnownSource {
  readonly #options: SourceWatchOptions;
  readonly #ticker: Ticker;
  #identity: string;
  #writtenOff: string | null = null;

  constructor(options: SourceWatchOptions) {
    this.#options = options;
    this.#identity = options.identity;
    this.#ticker = new Ticker(options.clock, LOOK_EVERY_MS, () => this.#look());
  }

  get identity(): string {
    return this.#identity;
  }

  get writtenOff(): string | null {
    return this.#writtenOff;
  }

  start(): void {
    this.#ticker.start();
  }

  close(): Promise<void> {
    return this.#ticker.stop();
  }

  async #look(): Promise<void> {
    const { region, home, partitions, regionName, logger } = this.#options;
    try {
      const identity = await region.identity();
      const source = sourceName(regionName, identity);
      if (identity !== this.#identity) {
        await registerSource(home, partitions, source);
        logger.warn({ source }, 'the region has another log, which home knows now');
        this.#identity = identity;
        this.#writtenOff = null;
      }
      const writtenOff = await writtenOffIn(home, FIRST_PARTITION, source);
      if (writtenOff !== null && this.#writtenOff === null)
        logger.error({ source, reason: writtenOff }, "the region's log was written off: nothing is sold");
      this.#writtenOff = writtenOff;
    } catch {
      // The relay, which needs both logs as well, complains.
    }
  }
}
