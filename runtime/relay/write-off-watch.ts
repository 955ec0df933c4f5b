import { Ticker } from '../../async/ticker.ts';
import type { Logger } from '../actor/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { RelayedAppends } from '../ports/relayed.ts';
import { sourceName } from './source-name.ts';
import { writtenOffIn } from './written-off.ts';

interface WriteOffWatchOptions {
  readonly region: Pick<RelayedAppends, 'identity'>;
  readonly home: Pick<RelayedAppends, 'sources'>;
  readonly regionName: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const LOOK_EVERY_MS = 1_000;
/** Write-offs begin with this partition. */
const FIRST_PARTITION = 0;

/**
 * Asks home each second whether it has written this region's log off: what is taken into that log then is billed by
 * nobody, for ever. A log that was made anew is another source. What is known stays while either log is away.
 */
export class WriteOffWatch {
  readonly #options: WriteOffWatchOptions;
  readonly #ticker: Ticker;
  #source = '';
  #reason: string | null = null;

  constructor(options: WriteOffWatchOptions) {
    this.#options = options;
    this.#ticker = new Ticker(options.clock, LOOK_EVERY_MS, () => this.#look());
  }

  /** Why the region's log was written off, as of the last look; null while it is not. */
  get reason(): string | null {
    return this.#reason;
  }

  start(): void {
    this.#ticker.start();
  }

  close(): Promise<void> {
    return this.#ticker.stop();
  }

  async #look(): Promise<void> {
    const { region, home, regionName, logger } = this.#options;
    try {
      const source = sourceName(regionName, await region.identity());
      const reason = await writtenOffIn(home, FIRST_PARTITION, source);
      if (source === this.#source && reason === this.#reason) return;
      if (reason !== null) logger.error({ source, reason }, "the region's log was written off: nothing is sold");
      else if (this.#reason !== null) logger.info({ source }, 'the region has another log: it sells again');
      this.#source = source;
      this.#reason = reason;
    } catch {
      // The relay, which needs both logs as well, complains.
    }
  }
}
