import { LogUnavailable } from '#runtime/ports/errors';
import type { AppendOnceOutcome, IdempotentEntry, MessageLog } from '#runtime/ports/log';

/** How the log is reached: as it is; not at all; or so that what is sent arrives and the answer does not. */
export type Line = 'open' | 'cut' | 'answers-lost';

/** A real log behind a line that a test interrupts. It notes the calls that arrived. */
export class InterruptedLog implements MessageLog {
  line: Line = 'open';
  /** Partitions that cannot be reached, as on a shard that is away. */
  readonly away = new Set<number>();
  readonly onceCalls: { readonly partition: number; readonly entries: readonly IdempotentEntry[] }[] = [];
  readonly partitions: number;
  /** Calls wait here before they are sent on: all, or those of one partition. */
  held: Promise<void> = Promise.resolve();
  heldPartition: number | null = null;
  readonly #log: MessageLog;

  constructor(log: MessageLog) {
    this.#log = log;
    this.partitions = log.partitions;
  }

  async appendOnce(partition: number, entries: readonly IdempotentEntry[]): Promise<AppendOnceOutcome[]> {
    this.#failIfAway(partition);
    return this.#through(() => {
      this.onceCalls.push({ partition, entries });
      const held = this.heldPartition === null || this.heldPartition === partition;
      return (held ? this.held : Promise.resolve()).then(() => this.#log.appendOnce(partition, entries));
    });
  }

  markOnce: MessageLog['markOnce'] = (...call) => this.#through(() => this.#log.markOnce(...call));
  remembers: MessageLog['remembers'] = (...call) => this.#through(() => this.#log.remembers(...call));
  append: MessageLog['append'] = (...call) => this.#through(() => this.#log.append(...call));
  read: MessageLog['read'] = (...call) => this.#through(() => this.#log.read(...call));
  tail: MessageLog['tail'] = async (partition) => {
    this.#failIfAway(partition);
    return this.#through(() => this.#log.tail(partition));
  };
  wake: MessageLog['wake'] = () => this.#log.wake();

  #failIfAway(partition: number): void {
    if (this.away.has(partition)) throw new LogUnavailable(`partition ${partition} is away`);
  }

  async #through<T>(call: () => Promise<T>): Promise<T> {
    if (this.line === 'cut') throw new LogUnavailable('the line is cut');
    const answer = await call();
    if (this.line === 'answers-lost') throw new LogUnavailable('the answer was lost');
    return answer;
  }
}
