import type { Broadcasts } from '../../runtime/ports/broadcasts.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { SpendChange } from './spend-account.ts';
import { readToldText, type ToldText, toldText } from './told-text.ts';

const TOPIC = 'spend';
/** The most changes of one text: a text is parsed in one go, in some milliseconds. */
const MOST_CHANGES = 5_000;
/** The most texts of one round trip, and round trips of one call. */
const TEXTS_AT_ONCE = 200;
const READS_AT_ONCE = 10;

/** What edges tell each other of the spend of campaigns, in batches on one topic. */
export class ToldSpend {
  readonly #broadcasts: Broadcasts;
  readonly #clock: Clock;
  readonly #edge: string;
  #place: string | null = null;
  #sinceMs = Number.POSITIVE_INFINITY;
  #atMs = Number.NEGATIVE_INFINITY;

  /** `edge`: unique name of this run of this process. */
  constructor(broadcasts: Broadcasts, clock: Clock, edge: string) {
    this.#broadcasts = broadcasts;
    this.#clock = clock;
    this.#edge = edge;
  }

  /** From this time on everything that was told was read, ms since the epoch. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** Up to this time. */
  get atMs(): number {
    return this.#atMs;
  }

  /** Tells the other edges; resolves with the changes that they may not have been told. Never rejects. */
  async tell(changes: readonly SpendChange[]): Promise<readonly SpendChange[]> {
    const untold = [...changes].sort((a, b) => a.day - b.day);
    while (untold.length > 0) {
      const { day } = untold[0]!;
      const some = untold.slice(0, MOST_CHANGES).filter((change) => change.day === day);
      try {
        await this.#broadcasts.publish(TOPIC, toldText(this.#edge, day, some));
      } catch {
        break;
      }
      untold.splice(0, some.length);
    }
    return untold;
  }

  /**
   * Reads what the other edges have told since the last call, and gives `take` each text. False when it could not be
   * read. What was missed is not told again: then all accounts must be read anew.
   */
  async read(take: (told: ToldText) => void): Promise<boolean> {
    for (let reads = 0; reads < READS_AT_ONCE; reads += 1) {
      const askedAtMs = this.#clock.now();
      try {
        const { texts, place, missed } = await this.#broadcasts.read(TOPIC, this.#place, TEXTS_AT_ONCE);
        if (this.#place === null || missed) this.#sinceMs = askedAtMs;
        this.#place = place;
        for (const text of texts) {
          const told = readToldText(text);
          if (told.edge !== this.#edge) take(told);
        }
        if (texts.length < TEXTS_AT_ONCE) {
          this.#atMs = askedAtMs;
          return true;
        }
      } catch {
        return false;
      }
    }
    return true;
  }
}
