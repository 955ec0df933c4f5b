import { CURRENCY_RATES_ID, currencyRates } from '#actors/currency-rates/currency-rates';
import { pause } from '#async/pause';
import { InvalidRates } from '#exchange/currency/read-rates';
import type { Logger } from '#runtime/actor/logger';
import type { Messenger } from '#runtime/actor/messenger';
import type { Clock } from '#runtime/ports/clock';
import { TimeLimit } from '../http/time-limit.ts';
import { fetchRates } from './fetch-rates.ts';

export interface RatesKeeperDeps {
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `file:`, `http:` or `https:`; null: there are no rates to keep. */
  readonly url: string | null;
  readonly refreshMs: number;
}

const FETCH_MS = 20_000;
/** Dates of a source may be those of its own time zone. */
const AHEAD_MS = 24 * 3_600_000;
/** After a source that could not be read, so that a short outage does not cost a whole interval. */
const RETRY_MS = 60_000;

/** Keeps the exchange's rates current: reads the source now and then, and tells the actor. */
export class RatesKeeper {
  readonly #deps: RatesKeeperDeps;
  readonly #stopping = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor(deps: RatesKeeperDeps) {
    this.#deps = deps;
  }

  start(): this {
    const { url } = this.#deps;
    if (url !== null) this.#ended = this.#run(url);
    return this;
  }

  async close(): Promise<void> {
    this.#stopping.abort(new Error('the duty ends'));
    await this.#ended;
  }

  async #run(url: string): Promise<void> {
    const { clock, logger, refreshMs } = this.#deps;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let waitMs = refreshMs;
      try {
        await this.#refresh(url, signal);
      } catch (err) {
        waitMs = Math.min(refreshMs, RETRY_MS);
        if (!signal.aborted) logger.warn({ err, source: nameOf(url) }, 'currency rates could not be read');
      }
      if (!signal.aborted) await pause(clock, waitMs, signal);
    }
  }

  async #refresh(url: string, signal: AbortSignal): Promise<void> {
    const { messenger, clock, logger } = this.#deps;
    const limit = new TimeLimit(clock, FETCH_MS, 'answer', signal);
    try {
      const rates = await fetchRates(url, limit.signal);
      // Taken over, they would hold up every later date, and never be too old.
      if (Date.parse(rates.asOf) > clock.now() + AHEAD_MS)
        throw new InvalidRates(`dataAsOf, ${rates.asOf}, is in the future`);
      const source = nameOf(url);
      const { doubted } = await messenger.ask(currencyRates, CURRENCY_RATES_ID, 'publish', { ...rates, source });
      const currencies = Object.keys(doubted);
      if (currencies.length > 0) {
        logger.warn({ currencies, source }, 'currency rates jumped: not used until a later date confirms them');
      }
    } finally {
      limit.end();
    }
  }
}

/**
 * The source as logs and the API, which needs no credentials, name it: a path may hold a key, or tell of the machine.
 */
function nameOf(url: string): string {
  const { protocol, hostname } = new URL(url);
  return protocol === 'file:' ? 'file' : hostname;
}
