import { pause } from '../../async/pause.ts';
import type { LogEntry } from '../ports/log.ts';
import type { NodeDeps } from './node-deps.ts';
import type { PartitionSession } from './partition-session.ts';

/**
 * Messages that come one by one, to many partitions and without end, cost a read and a turn of a partition each. So many in one
 * read, and fewer than so many for each partition, say that the next read may as well wait for more.
 */
const BUSY_FROM = 16;
const MIN_ENTRIES_PER_PARTITION = 4;
const GATHER_MS = 10;

/** The one reading loop of a node: asks for what its sessions want, and hands it out. */
export class LogReader {
  readonly #deps: NodeDeps;
  readonly #sessions: () => Iterable<PartitionSession>;
  #running = true;
  #wake: (() => void) | null = null;
  #stopped: Promise<void> | null = null;

  constructor(parts: NodeDeps, sessions: () => Iterable<PartitionSession>) {
    this.#deps = parts;
    this.#sessions = sessions;
  }

  start(): void {
    this.#stopped = this.#loop();
  }

  /** Looks again at what is wanted. */
  wake(): void {
    this.#wake?.();
    this.#deps.provider.log.wake();
  }

  async stop(): Promise<void> {
    this.#running = false;
    this.wake();
    await this.#stopped;
  }

  async #loop(): Promise<void> {
    const { tuning, clock, provider, logger } = this.#deps;
    while (this.#running) {
      const wanted = new Map<number, string>();
      const asked = new Map<number, PartitionSession>();
      for (const session of this.#sessions()) {
        if (!session.wantsEntries) continue;
        wanted.set(session.lease.partition, session.readPosition);
        asked.set(session.lease.partition, session);
      }
      if (wanted.size === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = null;
        continue;
      }
      try {
        const read = await provider.log.read(wanted, tuning.batchSize, tuning.readWaitMs);
        let brought = 0;
        for (const [partition, entries] of read) {
          brought += entries.length;
          this.#deliver(asked.get(partition), wanted.get(partition), entries);
        }
        if (brought >= BUSY_FROM && brought < MIN_ENTRIES_PER_PARTITION * read.size) await this.#gather();
      } catch (error) {
        logger.warn({ error: String(error) }, 'reading failed; trying again');
        await pause(clock, tuning.backoffMs[0]);
      }
    }
  }

  /** Waits for more to read, or until somebody wants to read now. */
  async #gather(): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.clock.after(GATHER_MS, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = null;
  }

  #deliver(session: PartitionSession | undefined, after: string | undefined, entries: readonly LogEntry[]): void {
    // The session may have ended while the read was under way: the next one reads for itself.
    if (session?.wantsEntries && session.readPosition === after) session.deliver(entries);
  }
}
