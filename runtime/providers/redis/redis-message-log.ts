import { Overloaded } from '../../ports/errors.ts';
import type {
  AppendOnceOutcome,
  AppendOptions,
  IdempotencyKey,
  IdempotentEntry,
  IdempotentMark,
  LogEntry,
  MarkOutcome,
  MessageLog,
  PartitionTail,
} from '../../ports/log.ts';
import { type Position, positionTimeMs } from '../../ports/position.ts';
import type { RedisCommands } from './client.ts';
import type { Keys } from './keys.ts';
import type { MemoryWatch } from './memory-watch.ts';
import type { PartitionReader } from './partition-reader.ts';
import { readNow } from './read-now.ts';
import { refusedAsOverloaded } from './refused-as-overloaded.ts';
import type { Routes } from './routes.ts';
import { SharedAppends } from './shared-appends.ts';

/** One call of a script whose two keys remember ids: its items have at most two hours of issue. */
interface OnceCall<T> {
  readonly buckets: number[];
  readonly items: T[];
}

const MARK_OUTCOMES: Readonly<Record<number, MarkOutcome>> = { 1: 'marked', 0: 'repeated', [-1]: 'unknown' };

/** The message log on Redis Streams: one stream for each partition, whose ids are the positions. */
export class RedisMessageLog implements MessageLog {
  readonly partitions: number;
  readonly #routes: Routes;
  readonly #keys: Keys;
  readonly #reader: PartitionReader;
  readonly #memory: Pick<MemoryWatch, 'isShort'>;
  /** Called after each append, with its partition. */
  readonly #announce: (partition: number) => void;
  readonly #sharedAppends: SharedAppends;

  /** `spansPartitions`: one server has all partitions. */
  constructor(
    partitions: number,
    routes: Routes,
    keys: Keys,
    reader: PartitionReader,
    memory: Pick<MemoryWatch, 'isShort'>,
    announce: (partition: number) => void,
    spansPartitions: boolean,
  ) {
    this.partitions = partitions;
    this.#routes = routes;
    this.#keys = keys;
    this.#reader = reader;
    this.#memory = memory;
    this.#announce = announce;
    this.#sharedAppends = new SharedAppends(keys, partitions, spansPartitions, (stream, count, keysAndMessages) =>
      this.#write(stream, (commands) => commands.appendOnce(count, ...keysAndMessages)),
    );
  }

  async append(partition: number, payloads: readonly string[], options?: AppendOptions): Promise<Position[]> {
    if (payloads.length === 0) return [];
    const stream = this.#keys.stream(partition);
    const maxLength = options?.maxLength;
    if (maxLength === undefined) {
      const positions = await this.#appendCaused(stream, payloads);
      this.#announce(partition);
      return positions;
    }
    this.#refuseWhereShort();
    const positions = await this.#write(stream, (commands) => commands.appendMessages(stream, maxLength, ...payloads));
    if (!positions) throw new Overloaded(`partition ${partition} holds ${maxLength} entries or more`);
    this.#announce(partition);
    return positions;
  }

  async appendOnce(partition: number, entries: readonly IdempotentEntry[], ofData = ''): Promise<AppendOnceOutcome[]> {
    if (entries.length === 0) return [];
    this.#refuseWhereShort();
    const outcomes = await this.#sharedAppends.add(partition, entries, ofData);
    this.#announce(partition);
    return outcomes;
  }

  async markOnce(partition: number, marks: readonly IdempotentMark[]): Promise<MarkOutcome[]> {
    const answers = await Promise.all(
      onceCalls(marks).map(({ buckets, items }) => {
        const told = items.flatMap(({ bucketMs, id, mark }) => [1 + buckets.indexOf(bucketMs), id, mark]);
        const [seen, seenToo] = this.#seen(partition, buckets);
        return this.#write(seen, (commands) => commands.markOnce(seen, seenToo, ...told));
      }),
    );
    return answers.flat().map((answer) => MARK_OUTCOMES[answer]!);
  }

  async remembers(partition: number, names: readonly IdempotencyKey[]): Promise<boolean[]> {
    const remembered = new Set<IdempotencyKey>();
    const ask = async (bucketMs: number) => {
      const some = names.filter((name) => name.bucketMs === bucketMs);
      const key = this.#keys.seen(partition, bucketMs);
      const answers = await this.#routes
        .of(key)
        .runReplicated((commands) => commands.smismember(key, ...some.map(({ id }) => id)));
      for (const [index, answer] of answers.entries()) if (answer === 1) remembered.add(some[index]!);
    };
    await Promise.all([...new Set(names.map(({ bucketMs }) => bucketMs))].map(ask));
    return names.map((name) => remembered.has(name));
  }

  read(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>> {
    if (waitMs <= 0) return readNow(this.#routes, this.#keys, after, limit);
    return this.#reader.read(after, limit, waitMs);
  }

  wake(): void {
    this.#reader.wake();
  }

  async tail(partition: number): Promise<PartitionTail> {
    const stream = this.#keys.stream(partition);
    const [last, length, appended, nowMs] = await this.#routes
      .of(stream)
      .runReplicated((commands) => commands.partitionTail(stream));
    return { last, length, appended, nowMs: Math.max(nowMs, positionTimeMs(last)) };
  }

  #seen(partition: number, [first, second = first]: readonly number[]): [seen: string, seenToo: string] {
    return [this.#keys.seen(partition, first!), this.#keys.seen(partition, second!)];
  }

  /**
   * Appends without a bound: messages that the handling of others caused. When memory is too short for a plain append,
   * a script of its own appends them.
   */
  async #appendCaused(stream: string, payloads: readonly string[]): Promise<Position[]> {
    try {
      if (payloads.length === 1)
        return [await this.#write(stream, (commands) => commands.xadd(stream, '*', 'm', payloads[0]!))];
      return (await this.#write(stream, (commands) => commands.appendMessages(stream, '', ...payloads)))!;
    } catch (error) {
      if (!(error instanceof Overloaded)) throw error;
      return this.#write(stream, (commands) => commands.appendCaused(stream, ...payloads));
    }
  }

  /**
   * Refuses producers before memory ends: the rest is for the owners of partitions, the only ones who can free memory.
   */
  #refuseWhereShort(): void {
    if (this.#memory.isShort) throw new Overloaded('the memory of Redis is short');
  }

  #write<T>(key: string, send: (commands: RedisCommands) => Promise<T>): Promise<T> {
    return refusedAsOverloaded(() => this.#routes.of(key).runReplicated(send));
  }
}

/**
 * Splits the items, in order, into calls of at most two hours each. Even when an hour begins that is nearly always one
 * call.
 */
function onceCalls<T extends IdempotencyKey>(told: readonly T[]): OnceCall<T>[] {
  const calls: OnceCall<T>[] = [];
  let call: OnceCall<T> | undefined;
  for (const item of told) {
    if (!call || (call.buckets.length === 2 && !call.buckets.includes(item.bucketMs))) {
      call = { buckets: [], items: [] };
      calls.push(call);
    }
    if (!call.buckets.includes(item.bucketMs)) call.buckets.push(item.bucketMs);
    call.items.push(item);
  }
  return calls;
}
