import type { Redis } from 'ioredis';
import { LogUnavailable } from '../../ports/errors.ts';
import type { LogEntry } from '../../ports/log.ts';
import type { Position } from '../../ports/position.ts';
import { Bell } from './bell.ts';
import { commandsOf } from './client.ts';
import type { Keys } from './keys.ts';
import { entriesOf, type PartitionReader } from './partition-reader.ts';

/** Between two tries to unblock a read that Redis may not have seen yet. */
const UNBLOCK_PAUSE_MS = 2;

/**
 * Reads all partitions of one server by one blocking XREAD, on a connection that does nothing else.
 *
 * A wake ends the caller's wait at once. The XREAD that it leaves behind is unblocked through another connection and
 * what it may still answer is dropped (reading takes nothing); the next read waits for its end.
 */
export class BlockingReader implements PartitionReader {
  readonly #client: Redis;
  readonly #control: Redis;
  readonly #keys: Keys;
  /** How long an answer may be overdue before the connection is thrown away. */
  readonly #silenceMs: number;
  readonly #woken = new Bell();
  /** Redis's name for the present connection. */
  #connectionId: number | undefined;
  #reading = false;
  #closed = false;
  /** The XREAD that is under way; never rejects. */
  #underway: Promise<void> | undefined;

  constructor(client: Redis, control: Redis, keys: Keys, silenceMs: number) {
    this.#client = client;
    this.#control = control;
    this.#keys = keys;
    this.#silenceMs = silenceMs;
    client.on('close', () => {
      this.#connectionId = undefined;
    });
  }

  async read(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>> {
    if (this.#reading) throw new Error('one read at a time');
    this.#reading = true;
    const rings = this.#woken.rings;
    try {
      if (after.size === 0) {
        this.#failIfClosed();
        await this.#woken.wait(rings, waitMs);
        return new Map();
      }
      await this.#underway;
      this.#failIfClosed();
      if (this.#woken.rings > rings) return new Map();
      const answer = this.#xread(after, limit, waitMs);
      const end = answer.then(
        () => {},
        () => {},
      );
      this.#underway = end;
      const woken = this.#woken.wait(rings, waitMs + 2 * this.#silenceMs).then(() => new Map<number, LogEntry[]>());
      const entries = await Promise.race([answer, woken]);
      return entries;
    } finally {
      this.#reading = false;
    }
  }

  wake(): void {
    if (!this.#reading) return;
    this.#woken.ring();
    if (this.#underway) void this.#unblock(this.#underway);
  }

  close(): void {
    this.#closed = true;
    this.#woken.ring();
    this.#client.disconnect();
  }

  #failIfClosed(): void {
    if (this.#closed) throw new LogUnavailable('the log is closed');
  }

  async #xread(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>> {
    const partitionOf = new Map<string, number>();
    for (const partition of after.keys()) partitionOf.set(this.#keys.stream(partition), partition);
    const blockMs = Math.ceil(waitMs);
    const block = blockMs > 0 ? ['BLOCK', blockMs] : [];
    // Known before the read blocks, for then it cannot be asked any more.
    this.#connectionId ??= await this.#within(this.#silenceMs, this.#client.client('ID'));
    const reply = await this.#within(
      blockMs + this.#silenceMs,
      commandsOf(this.#client).xread('COUNT', limit, ...block, 'STREAMS', ...partitionOf.keys(), ...after.values()),
    );
    const batches = new Map<number, LogEntry[]>();
    for (const [key, raw] of reply ?? []) {
      const partition = partitionOf.get(key)!;
      batches.set(partition, entriesOf(raw, after.get(partition)!));
    }
    return batches;
  }

  /** The watchdog: a connection that stays silent for longer is replaced, and the read fails. */
  async #within<T>(timeoutMs: number, command: Promise<T>): Promise<T> {
    let watchdog: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      watchdog = setTimeout(() => {
        this.#connectionId = undefined;
        if (!this.#closed) this.#client.disconnect(true);
        reject(new LogUnavailable(`a read had no answer from Redis within ${timeoutMs} ms`));
      }, timeoutMs);
    });
    try {
      return await Promise.race([command, silence]);
    } catch (cause) {
      throw cause instanceof LogUnavailable
        ? cause
        : new LogUnavailable(`Redis: ${(cause as Error).message}`, { cause });
    } finally {
      clearTimeout(watchdog);
    }
  }

  /** Ends `read` in Redis, trying again while it may still be on its way there. */
  async #unblock(read: Promise<void>): Promise<void> {
    let over = false;
    void read.then(() => {
      over = true;
    });
    while (!over && !this.#closed) {
      const id = this.#connectionId;
      if (id !== undefined) {
        const unblocked = await this.#control.client('UNBLOCK', id).catch(() => 0);
        if (unblocked === 1) return;
      }
      await new Promise((resolve) => setTimeout(resolve, UNBLOCK_PAUSE_MS));
    }
  }
}
