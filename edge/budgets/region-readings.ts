/** How far the regions with logs of their own are drained, ms since the epoch, as home knew it. */
export interface RegionsReading {
  /** To when the edges' impressions are at home; null without such regions. */
  readonly throughMs: number | null;
  /** The clock of the log at home, after it was read. */
  readonly atMs: number;
}

/**
 * Readings of how far regions are drained. What had come of them by a reading is in ledgers that are complete through
 * it, and may be missing in those that are not, however early it was sold.
 */
export class RegionReadings {
  readonly #read: () => Promise<RegionsReading>;
  /** The last reading that ledgers were complete through. */
  #covered: RegionsReading | null = null;
  /** The first reading since. */
  #next: RegionsReading | null = null;

  constructor(read: () => Promise<RegionsReading>) {
    this.#read = read;
  }

  /** Reads how far they are drained now. */
  async refresh(): Promise<RegionsReading> {
    const reading = await this.#read();
    this.#next ??= reading;
    return reading;
  }

  /** A reading of which ledgers that are complete through `completeMs` hold everything; null when none was made yet. */
  asOf(completeMs: number): RegionsReading | null {
    if (this.#next !== null && this.#next.atMs < completeMs) {
      this.#covered = this.#next;
      this.#next = null;
    }
    return this.#covered;
  }
}
