import type { LogEntry } from '../ports/log.ts';
import { sleep } from './backoff.ts';
import type { NodeParts } from './node-parts.ts';
import type { PartitionSession } from './partition-session.ts';

/** The one reading loop of a node: asks for what its sessions want, and hands it out. */
export class Reader {
  readonly #parts: NodeParts;
  readonly #sessions: () => Iterable<PartitionSession>;
  #running = true;
  #wake: (() => void) | null = null;
  #stopped: Promise<void> | null = null;

  constructor(parts: NodeParts, sessions: () => Iterable<PartitionSession>) {
    this.#parts = parts;
    this.#sessions = sessions;
  }

  start(): void {
    this.#stopped = this.#loop();
  }

  /** Looks again at what is wanted. */
  wake(): void {
    this.#wake?.();
    this.#parts.provider.log.wake();
  }

  async stop(): Promise<void> {
    this.#running = false;
    this.wake();
    await this.#stopped;
  }

  async #loop(): Promise<void> {
    const { tuning, clock, provider, logger } = this.#parts;
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
        for (const [partition, entries] of read) this.#deliver(asked.get(partition), wanted.get(partition), entries);
      } catch (error) {
        logger.warn({ error: String(error) }, 'reading failed; trying again');
        await sleep(clock, tuning.backoffMs[0]);
      }
    }
  }

  #deliver(session: PartitionSession | undefined, after: string | undefined, entries: readonly LogEntry[]): void {
    // The session may have ended while the read was under way: the next one reads for itself.
    if (session?.wantsEntries && session.readPosition === after) session.deliver(entries);
  }
}
