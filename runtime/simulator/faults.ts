import type { SeededRandom } from './seeded-random.ts';

/** The fate of one call of a port. */
export type CallOutcome =
  | 'served'
  /** The call never arrives. */
  | 'request lost'
  /** The call takes effect, and its answer is lost. */
  | 'reply lost'
  /** The call takes effect after the caller has given up. */
  | 'late'
  /** The call is served at about the time when its caller gives up. */
  | 'slow';

/** The probability of each fault, per call. */
export interface FaultRates {
  readonly requestLost: number;
  readonly replyLost: number;
  readonly late: number;
  readonly slow: number;
  /** A save of several documents writes some at once and the others late or never. */
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

/** Decides from the seed which call fails and how, and counts the injected faults. */
export class Faults {
  rates: FaultRates = NO_FAULTS;
  readonly injected = new Map<string, number>();
  #lateCallsLost = 0;
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

  /** Calls that are late now never arrive: for a leap of the clocks over longer than any call is under way. */
  loseLateCalls(): void {
    this.#lateCallsLost += 1;
  }

  /** How often late calls were lost: one that arrives after another number than it was made under does not. */
  get lateCallsLost(): number {
    return this.#lateCallsLost;
  }

  /** Draws a fault that has a rate of its own. */
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
