import type { Redis } from 'ioredis';
import { Signal } from '#async/signal';
import { LogUnavailable } from '../../ports/errors.ts';
import type { LogEntry } from '../../ports/log.ts';
import type { Position } from '../../ports/position.ts';
import { commandsOf } from './client.ts';
import type { Keys } from './keys.ts';
import { entriesOf, type PartitionReader } from './partition-reader.ts';

/** Sends a read and resolves with its result once that may be handed out. */
export type ReadFence = <T>(read: () => Promise<T | null>) => Promise<T | null>;

const NO_FENCE: ReadFence = (read) => read();

/** The pause between two attempts to unblock a read that Redis may not have seen yet, ms. */
const UNBLOCK_PAUSE_MS = 2;
/** The time that a woken read waits for its XREAD to end before it abandons it, ms. */
const LEAVE_BEHIND_MS = 100;

/**
 * Reads all partitions of one server by one blocking XREAD, on a connection that does nothing else.
 *
 * A wake unblocks the XREAD through another connection. The entries that the XREAD returns are still handed out, so
 * that many wakes cannot prevent progress. When Redis does not answer the unblocking either, the caller gets an empty
 * result, a late result of the XREAD is dropped (reading removes nothing), and the next read waits for its end.
 */
export class BlockingReader implements PartitionReader {
  readonly #client: Redis;
  readonly #control: Redis;
  readonly #keys: Keys;
  /** The time by which an answer may be overdue before the connection is replaced, ms. */
  readonly #silenceMs: number;
  readonly #fence: ReadFence;
  readonly #woken = new Signal();
  /** The id of the present connection in Redis. */
  #connectionId: number | undefined;
  #reading = false;
  #closed = false;
  /** The XREAD that is under way; never rejects. */
  #underway: Promise<void> | undefined;
  /** The XREAD that is being unblocked. */
  #unblocking: Promise<void> | undefined;
  /** Releases the present caller without its XREAD. */
  #releaseCaller: () => void = () => {};

  constructor(client: Redis, control: Redis, keys: Keys, silenceMs: number, fence = NO_FENCE) {
    this.#client = client;
    this.#control = control;
    this.#keys = keys;
    this.#silenceMs = silenceMs;
    this.#fence = fence;
    client.on('close', () => {
      this.#connectionId = undefined;
    });
  }

  async read(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>> {
    this.#failIfClosed();
    if (this.#reading) throw new Error('one read at a time');
    this.#reading = true;
    const raised = this.#woken.raised;
    const nothing = new Map<number, LogEntry[]>();
    const leftBehind = new Promise<typeof nothing>((resolve) => {
      this.#releaseCaller = () => resolve(nothing);
    });
    try {
      if (after.size === 0) {
        await this.#woken.wait(waitMs, raised);
        return nothing;
      }
      await Promise.race([this.#underway, leftBehind]);
      if (this.#woken.raised > raised) return nothing;
      const answer = this.#xread(after, limit, waitMs);
      const underway: Promise<void> = answer.then(
        () => this.#ended(underway),
        () => this.#ended(underway),
      );
      this.#underway = underway;
      return await Promise.race([answer, leftBehind]);
    } finally {
      this.#reading = false;
    }
  }

  wake(): void {
    if (!this.#reading) return;
    this.#woken.raise();
    const underway = this.#underway;
    if (!underway || this.#unblocking === underway) return;
    this.#unblocking = underway;
    const letGo = this.#releaseCaller;
    const timer = setTimeout(letGo, LEAVE_BEHIND_MS);
    void underway.then(() => clearTimeout(timer));
    void this.#unblock(underway);
  }

  close(): void {
    this.#closed = true;
    this.#woken.raise();
    this.#releaseCaller();
    this.#client.disconnect();
  }

  #ended(underway: Promise<void>): void {
    if (this.#underway === underway) this.#underway = undefined;
  }

  #failIfClosed(): void {
    if (this.#closed) throw new LogUnavailable('the log is closed');
  }

  async #xread(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>> {
    const partitionOf = new Map<string, number>();
    for (const partition of after.keys()) partitionOf.set(this.#keys.stream(partition), partition);
    const blockMs = Math.ceil(waitMs);
    const block = blockMs > 0 ? ['BLOCK', blockMs] : [];
    // The id must be known before the read blocks, because the connection cannot be asked then.
    this.#connectionId ??= await this.#within(this.#silenceMs, this.#client.client('ID'));
    const reply = await this.#within(
      blockMs + this.#silenceMs,
      this.#fence(() =>
        commandsOf(this.#client).xread('COUNT', limit, ...block, 'STREAMS', ...partitionOf.keys(), ...after.values()),
      ),
    );
    const batches = new Map<number, LogEntry[]>();
    for (const [key, raw] of reply ?? []) {
      const partition = partitionOf.get(key)!;
      batches.set(partition, entriesOf(raw, after.get(partition)!));
    }
    return batches;
  }

  /** The watchdog: a connection that stays silent for longer than `timeoutMs` is replaced, and the read fails. */
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

  /** Ends `read` in Redis, with retries while it may still be on its way there. */
  async #unblock(read: Promise<void>): Promise<void> {
    while (this.#underway === read && !this.#closed) {
      const id = this.#connectionId;
      if (id !== undefined) {
        const unblocked = await this.#control.client('UNBLOCK', id).catch(() => 0);
        if (unblocked === 1) return;
      }
      await new Promise((resolve) => setTimeout(resolve, UNBLOCK_PAUSE_MS));
    }
  }
}
