import type { SeededRandom } from './seeded-random.ts';

/** How one call of a port ends. */
export type CallOutcome =
  | 'served'
  /** It never arrives. */
  | 'request lost'
  /** It takes effect; nobody hears of it. */
  | 'reply lost'
  /** The caller gives up, and then it takes effect. */
  | 'late'
  /** It is served, about as late as the caller's patience lasts. */
  | 'slow';

/** Probabilities for each call. */
export interface FaultRates {
  readonly requestLost: number;
  readonly replyLost: number;
  readonly late: number;
  readonly slow: number;
  /** A save of several documents writes some of them at once and the others late or never. */
  readonly partialSave: number;
  /** A message of the reply channel is lost. */
  readonly channelLost: number;
  /** A call, or a message of the reply channel, overtakes those sent before it. */
  readonly overtaking: number;
}

export const NO_FAULTS: FaultRates = {
  requestLost: 0,
  replyLost: 0,
  late: 0,
  slow: 0,
  partialSave: 0,
  channelLost: 0,
  overtaking: 0,
};

/** Decides by seed which call goes wrong and how, and counts what was injected. */
export class Faults {
  rates: FaultRates = NO_FAULTS;
  readonly injected = new Map<string, number>();
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  outcomeOf(call: string): CallOutcome {
    let draw = this.#random.next();
    const fates: readonly [CallOutcome, number][] = [
      ['request lost', this.rates.requestLost],
      ['reply lost', this.rates.replyLost],
      ['late', this.rates.late],
      ['slow', this.rates.slow],
    ];
    for (const [fate, probability] of fates) {
      draw -= probability;
      if (draw >= 0) continue;
      this.count(`${call}: ${fate}`);
      return fate;
    }
    return 'served';
  }

  /** Decides about a fault with a rate of its own. */
  strikes(rate: 'partialSave' | 'channelLost' | 'overtaking', name: string): boolean {
    if (!this.#random.chance(this.rates[rate])) return false;
    this.count(name);
    return true;
  }

  count(name: string): void {
    this.injected.set(name, (this.injected.get(name) ?? 0) + 1);
  }

  get total(): number {
    let total = 0;
    for (const count of this.injected.values()) total += count;
    return total;
  }
}
