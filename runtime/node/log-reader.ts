import { pause } from '../../async/pause.ts';
import { Complaints } from '../actor/complaints.ts';
import type { LogEntry } from '../ports/log.ts';
import { encodedKind } from './envelope.ts';
import type { NodeDeps } from './node-deps.ts';
import type { PartitionSession } from './partition-session.ts';

/**
 * A read that returns at least this many entries, and fewer than `MIN_ENTRIES_PER_PARTITION` for each partition, makes
 * the next read wait for more: a steady flow of single messages to many partitions would cost one read and one session
 * step each.
 */
const BUSY_FROM = 16;
/** A read with fewer entries per partition than this makes the next read wait; see `BUSY_FROM`. */
const MIN_ENTRIES_PER_PARTITION = 4;
/** The time that a read then waits for more entries, ms. */
const GATHER_MS = 10;
/**
 * The same bounds while all that is read is for lazy kinds: nobody waits for its effect, which is saved within a
 * second, and each step of a session costs as much as several messages. A message that somebody waits for and that
 * comes meanwhile waits for the rest of the time, too.
 */
const MIN_LAZY_ENTRIES_PER_PARTITION = 64;
const GATHER_LAZY_MS = 25;

/** The read loop of a node: reads the entries that its sessions want and delivers them. */
export class LogReader {
  readonly #deps: NodeDeps;
  readonly #complaints: Complaints;
  readonly #sessions: () => Iterable<PartitionSession>;
  #running = true;
  #wake: (() => void) | null = null;
  #stopped: Promise<void> | null = null;

  constructor(deps: NodeDeps, sessions: () => Iterable<PartitionSession>) {
    this.#deps = deps;
    this.#complaints = new Complaints(deps);
    this.#sessions = sessions;
  }

  start(): void {
    this.#stopped = this.#loop();
  }

  /** Makes the loop check again which entries are wanted. */
  wake(): void {
    this.#wake?.();
    this.#deps.provider.log.wake();
  }

  async stop(): Promise<void> {
    this.#running = false;
    this.wake();
    await this.#stopped;
    this.#complaints.close();
  }

  async #loop(): Promise<void> {
    const { tuning, clock, provider } = this.#deps;
    while (this.#running) {
      const wanted = new Map<number, string>();
      const sessions = new Map<number, PartitionSession>();
      for (const session of this.#sessions()) {
        if (!session.wantsEntries) continue;
        wanted.set(session.lease.partition, session.readPosition);
        sessions.set(session.lease.partition, session);
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
        let count = 0;
        for (const [partition, entries] of read) {
          count += entries.length;
          this.#deliver(sessions.get(partition), wanted.get(partition), entries);
        }
        const gatherMs = this.#gatherMs(count, read);
        if (gatherMs > 0) await this.#gather(gatherMs);
      } catch (error) {
        this.#complaints.warn({ error: String(error) }, 'reading failed; trying again');
        await pause(clock, tuning.backoffMs[0]);
      }
    }
  }

  /** The time for which the next read should wait for more entries, after this one of `count` entries. */
  #gatherMs(count: number, read: ReadonlyMap<number, readonly LogEntry[]>): number {
    if (count < BUSY_FROM || count >= MIN_LAZY_ENTRIES_PER_PARTITION * read.size) return 0;
    if (this.#isAllLazy(read)) return GATHER_LAZY_MS;
    return count < MIN_ENTRIES_PER_PARTITION * read.size ? GATHER_MS : 0;
  }

  #isAllLazy(read: ReadonlyMap<number, readonly LogEntry[]>): boolean {
    const { kinds } = this.#deps;
    for (const entries of read.values()) {
      for (const { payload } of entries) if (kinds.find(encodedKind(payload))?.lazy !== true) return false;
    }
    return true;
  }

  /** Waits `forMs` for more entries, or until a session wants to read now. */
  async #gather(forMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.clock.after(forMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = null;
  }

  #deliver(session: PartitionSession | undefined, after: string | undefined, entries: readonly LogEntry[]): void {
    // The session may have ended while the read was under way; its successor reads for itself.
    if (session?.wantsEntries && session.readPosition === after) session.deliver(entries);
  }
}
