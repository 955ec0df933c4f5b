import { type LogUnavailable, Overloaded } from '../../ports/errors.ts';
import type { AppendOptions, LogEntry, MessageLog, OnceEntry, OnceOutcome, PartitionTail } from '../../ports/log.ts';
import { type Position, positionTimeMs } from '../../ports/position.ts';
import type { RedisCommands } from './client.ts';
import type { Keys } from './keys.ts';
import type { PartitionReader } from './partition-reader.ts';
import { readNow } from './read-now.ts';
import type { ReplicaBarrier } from './replica-barrier.ts';
import type { Requests } from './requests.ts';

/** One call of append-once: entries of at most two hours of issue, the second and third key of the script. */
interface OnceCall {
  readonly buckets: number[];
  readonly messages: (string | number)[];
}

const OUTCOMES: Readonly<Record<number, OnceOutcome>> = { 1: 'appended', 0: 'repeated', [-1]: 'expired' };

/** The message log on Redis Streams: a stream for each partition, whose ids are the positions. */
export class RedisMessageLog implements MessageLog {
  readonly partitions: number;
  readonly #commands: RedisCommands;
  readonly #requests: Requests;
  readonly #keys: Keys;
  readonly #reader: PartitionReader;
  readonly #barrier: ReplicaBarrier;
  /** Called after each append, with its partition. */
  readonly #announce: (partition: number) => void;

  constructor(
    partitions: number,
    commands: RedisCommands,
    requests: Requests,
    keys: Keys,
    reader: PartitionReader,
    barrier: ReplicaBarrier,
    announce: (partition: number) => void,
  ) {
    this.partitions = partitions;
    this.#commands = commands;
    this.#requests = requests;
    this.#keys = keys;
    this.#reader = reader;
    this.#barrier = barrier;
    this.#announce = announce;
  }

  async append(partition: number, payloads: readonly string[], options?: AppendOptions): Promise<Position[]> {
    if (payloads.length === 0) return [];
    const stream = this.#keys.stream(partition);
    const maxLength = options?.maxLength;
    if (payloads.length === 1 && maxLength === undefined) {
      const position = await this.#write(() => this.#commands.xadd(stream, '*', 'm', payloads[0]!));
      this.#announce(partition);
      return [position];
    }
    const positions = await this.#write(() => this.#commands.appendMessages(stream, maxLength ?? '', ...payloads));
    if (!positions) throw new Overloaded(`partition ${partition} holds ${maxLength} entries or more`);
    this.#announce(partition);
    return positions;
  }

  async appendOnce(partition: number, entries: readonly OnceEntry[]): Promise<OnceOutcome[]> {
    if (entries.length === 0) return [];
    const stream = this.#keys.stream(partition);
    const answers = await Promise.all(
      onceCalls(entries).map(({ buckets, messages }) => {
        const [seen, seenToo = seen] = buckets.map((bucketMs) => this.#keys.seen(partition, bucketMs));
        return this.#write(() => this.#commands.appendOnce(stream, seen!, seenToo!, ...messages));
      }),
    );
    this.#announce(partition);
    return answers.flat().map((answer) => OUTCOMES[answer]!);
  }

  read(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>> {
    if (waitMs <= 0) return readNow(this.#commands, this.#requests, this.#keys, after, limit);
    return this.#reader.read(after, limit, waitMs);
  }

  wake(): void {
    this.#reader.wake();
  }

  async tail(partition: number): Promise<PartitionTail> {
    const [last, length, appended, nowMs] = await this.#requests.run(() =>
      this.#commands.partitionTail(this.#keys.stream(partition)),
    );
    return { last, length, appended, nowMs: Math.max(nowMs, positionTimeMs(last)) };
  }

  async #write<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await this.#requests.run(() => this.#barrier.cover(send()));
    } catch (error) {
      const { cause } = error as LogUnavailable;
      // Redis refuses a script or command before its first write when memory is short, so nothing was appended.
      if (cause instanceof Error && cause.message.startsWith('OOM ')) throw new Overloaded(cause.message, { cause });
      throw error;
    }
  }
}

/** Cuts entries, in order, into calls of at most two hours each. Even at the turn of an hour that is nearly always one. */
function onceCalls(entries: readonly OnceEntry[]): OnceCall[] {
  const calls: OnceCall[] = [];
  let call: OnceCall | undefined;
  for (const entry of entries) {
    if (!call || (call.buckets.length === 2 && !call.buckets.includes(entry.bucketMs))) {
      call = { buckets: [], messages: [] };
      calls.push(call);
    }
    if (!call.buckets.includes(entry.bucketMs)) call.buckets.push(entry.bucketMs);
    call.messages.push(2 + call.buckets.indexOf(entry.bucketMs), entry.id, entry.expiresAtMs, entry.payload);
  }
  return calls;
}
