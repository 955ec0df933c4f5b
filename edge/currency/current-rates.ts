import {
  CURRENCY_RATES_ID,
  type CurrencyRatesProjection,
  currencyRates,
} from '../../actors/currency-rates/currency-rates.ts';
import { CurrencyRates } from '../../exchange/currency/currency-rates.ts';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';

/** The rates that an auction beginning now is held with. */
export class CurrentRates {
  readonly #replica: Pick<Replica, 'get'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #maxAgeMs: number;
  #projection: CurrencyRatesProjection | undefined;
  #rates: CurrencyRates | null = null;
  #untilMs = 0;

  /** Rates whose date is more than `maxAgeMs` ago are not used. */
  constructor(replica: Pick<Replica, 'get'>, clock: Pick<Clock, 'now'>, maxAgeMs: number) {
    this.#replica = replica;
    this.#clock = clock;
    this.#maxAgeMs = maxAgeMs;
  }

  /** Null where nothing can be converted: there are no rates, or they are too old. */
  current(): CurrencyRates | null {
    const projection = this.#replica.get<CurrencyRatesProjection>(currencyRates.kind, CURRENCY_RATES_ID);
    if (projection === undefined) return null;
    if (projection !== this.#projection) {
      this.#projection = projection;
      this.#rates = new CurrencyRates(projection);
      this.#untilMs = Date.parse(projection.asOf) + this.#maxAgeMs;
    }
    return this.#clock.now() < this.#untilMs ? this.#rates : null;
  }
}
