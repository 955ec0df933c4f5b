import { Signal } from '#async/signal';
import type { CatalogueEntry, CatalogueLog } from '../../ports/catalogue-log.ts';
import type { Clock } from '../../ports/clock.ts';
import { LogUnavailable } from '../../ports/errors.ts';
import type { CommitGroup, Participant } from './commit-group.ts';
import type { Environment } from './environment.ts';

/** The number of entries on disk. */
const MAX_STORED_ENTRIES = 20_000;
/** The number of them in memory, where a follower that keeps up finds all entries. */
const IN_MEMORY = 1_000;

/** The stream of projection changes in the data folder. */
export class EmbeddedCatalogue implements CatalogueLog, Participant {
  readonly #entries: Environment['catalogue'];
  readonly #group: CommitGroup;
  readonly #clock: Clock;
  /** Raised with true when waiting reads must end although there is nothing new. */
  readonly #changed: Signal<boolean>;
  /** The first number on disk. */
  #first = 1;
  /** The newest number on disk. */
  #tail = 0;
  #recent: CatalogueEntry[] = [];
  #staged: CatalogueEntry[] = [];
  #stagedFirst = 1;

  constructor(environment: Environment, group: CommitGroup, clock: Clock) {
    this.#entries = environment.catalogue;
    this.#group = group;
    this.#clock = clock;
    this.#changed = new Signal(clock);
    this.lost();
    group.join(this);
  }

  publish(payloads: readonly string[]): Promise<void> {
    return this.#group.write(() => {
      for (const payload of payloads) {
        const number = this.#tail + this.#staged.length + 1;
        this.#entries.put(number, payload);
        this.#staged.push({ number, payload });
        while (this.#stagedFirst <= number - MAX_STORED_ENTRIES) this.#entries.remove(this.#stagedFirst++);
      }
    }, LogUnavailable);
  }

  async tail(): Promise<number> {
    this.#checkOpen();
    return this.#tail;
  }

  async read(after: number, limit: number, waitMs: number): Promise<CatalogueEntry[]> {
    this.#checkOpen();
    const endsMs = this.#clock.monotonic() + waitMs;
    for (let leftMs = waitMs; this.#tail === after && leftMs > 0; leftMs = endsMs - this.#clock.monotonic()) {
      if (await this.#changed.wait(leftMs)) break;
    }
    this.#checkOpen();
    if (this.#tail === 0) return [];
    // A follower ahead of the log has read an earlier log: the newest entry tells it so.
    const from = after > this.#tail ? this.#tail : Math.max(after + 1, this.#first);
    const oldest = this.#recent[0]?.number ?? Number.POSITIVE_INFINITY;
    if (from >= oldest) return this.#recent.slice(from - oldest, from - oldest + limit);
    try {
      return [...this.#entries.getRange({ start: from, end: this.#tail + 1, limit })].map(({ key, value }) => ({
        number: key,
        payload: value,
      }));
    } catch (error) {
      throw new LogUnavailable('the catalogue log cannot be read', { cause: error });
    }
  }

  /** Ends waiting reads. */
  close(): void {
    this.#changed.raise(true);
  }

  durable(): void {
    this.#first = this.#stagedFirst;
    if (this.#staged.length === 0) return;
    this.#tail += this.#staged.length;
    this.#recent = this.#recent.concat(this.#staged).slice(-IN_MEMORY);
    this.#staged = [];
    this.#changed.raise(false);
  }

  lost(): void {
    this.#staged = [];
    this.#recent = [];
    for (const number of this.#entries.getKeys({ limit: 1 })) this.#first = number;
    for (const number of this.#entries.getKeys({ limit: 1, reverse: true })) this.#tail = number;
    this.#stagedFirst = this.#first;
  }

  #checkOpen(): void {
    const refusal = this.#group.refusal;
    if (refusal) throw new LogUnavailable(refusal.message, { cause: refusal });
  }
}
