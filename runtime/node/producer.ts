import { pause } from '../../async/pause.ts';
import { backoffMs } from '../../async/retry.ts';
import type { Clock } from '../ports/clock.ts';
import { LogUnavailable, Overloaded } from '../ports/errors.ts';
import type { MessageLog } from '../ports/log.ts';
import { bundle } from './bundle.ts';
import { type AskEnvelope, encodeEnvelope } from './envelope.ts';
import type { Tuning } from './tuning.ts';

interface Unsent {
  readonly to: string;
  readonly payload: string;
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const MAX_BATCH = 500;
const MAX_BATCH_CHARACTERS = 1_000_000;

/**
 * Sends the messages of one process (law 6). Every message is identified by (incarnation, number). Per partition one
 * append is under way at a time, a retry repeats the same numbers, and retries end. So a receiver that skips numbers
 * not above the last one it received takes each message at most once, in order.
 */
export class Producer {
  readonly #log: MessageLog;
  readonly #incarnation: string;
  readonly #clock: Clock;
  readonly #tuning: Tuning;
  readonly #bundles: boolean;
  readonly #queues = new Map<number, Unsent[]>();
  readonly #sending = new Set<number>();
  #number = 0;
  #unsent = 0;
  #idle: (() => void)[] = [];

  /** `bundles`: messages that are appended together share entries. */
  constructor(log: MessageLog, incarnation: string, clock: Clock, tuning: Tuning, bundles = false) {
    this.#log = log;
    this.#incarnation = incarnation;
    this.#clock = clock;
    this.#tuning = tuning;
    this.#bundles = bundles;
  }

  /** Resolves when durable. Rejects with `Overloaded` (not sent) or `LogUnavailable` (outcome unknown). */
  send(partition: number, to: string, type: string, body: unknown, ask?: AskEnvelope): Promise<void> {
    if (this.#unsent >= this.#tuning.maxUnsent) {
      return Promise.reject(new Overloaded('too many messages wait to be appended'));
    }
    const envelope = { to, type, body, from: this.#incarnation, sequence: String(++this.#number) };
    const payload = encodeEnvelope(ask ? { ...envelope, ask } : envelope);
    return new Promise((resolve, reject) => {
      let queue = this.#queues.get(partition);
      if (!queue) {
        queue = [];
        this.#queues.set(partition, queue);
      }
      queue.push({ to, payload, deadline: this.#clock.monotonic() + this.#tuning.sendTimeoutMs, resolve, reject });
      this.#unsent++;
      if (!this.#sending.has(partition)) {
        this.#sending.add(partition);
        // The queue drains later in this tick, so that messages of one tick share an append.
        queueMicrotask(() => void this.#drain(partition, queue));
      }
    });
  }

  /** Resolves when nothing waits to be appended. */
  async settled(): Promise<void> {
    while (this.#unsent > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  async #drain(partition: number, queue: Unsent[]): Promise<void> {
    while (queue.length > 0) {
      const batch = takeBatch(queue);
      const failure = await this.#append(partition, batch);
      this.#unsent -= batch.length;
      for (const message of batch) {
        if (failure) message.reject(failure);
        else message.resolve();
      }
      if (this.#unsent === 0) for (const wake of this.#idle.splice(0)) wake();
    }
    this.#sending.delete(partition);
  }

  async #append(partition: number, batch: readonly Unsent[]): Promise<Error | null> {
    const payloads = this.#bundles ? bundle(batch) : batch.map(({ payload }) => payload);
    const deadline = batch[batch.length - 1]!.deadline;
    for (let attempt = 0; ; attempt++) {
      try {
        await this.#log.append(partition, payloads, { maxLength: this.#tuning.maxPartitionLength });
        return null;
      } catch (error) {
        // After an attempt of unknown outcome "nothing was appended" can no longer be promised.
        if (error instanceof Overloaded && attempt === 0) return error;
        const unknown = error instanceof LogUnavailable || error instanceof Overloaded;
        if (!unknown) return error as Error;
        if (this.#clock.monotonic() >= deadline) {
          return error instanceof LogUnavailable
            ? error
            : new LogUnavailable('an append of unknown outcome could not be repeated', { cause: error });
        }
        await pause(this.#clock, backoffMs(attempt, this.#tuning.backoffMs));
      }
    }
  }
}

function takeBatch(queue: Unsent[]): Unsent[] {
  let characters = 0;
  let count = 0;
  while (count < queue.length && count < MAX_BATCH) {
    characters += queue[count]!.payload.length;
    if (count > 0 && characters > MAX_BATCH_CHARACTERS) break;
    count++;
  }
  return queue.splice(0, count);
}
