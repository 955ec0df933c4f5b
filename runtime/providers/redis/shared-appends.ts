import type { AppendOnceOutcome, IdempotentEntry } from '../../ports/log.ts';
import type { Keys } from './keys.ts';

/**
 * Appends by one call of the script; resolves with its answers. `stream` is the stream of one of the messages, `keys`
 * the number of keys at the beginning of `keysAndMessages`.
 */
export type CallAppendOnce = (
  stream: string,
  keys: number,
  keysAndMessages: readonly (string | number)[],
) => Promise<readonly number[]>;

interface PendingAppend {
  readonly partition: number;
  readonly entries: readonly IdempotentEntry[];
  readonly resolve: (outcomes: AppendOnceOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

interface SharedCall {
  readonly appends: PendingAppend[];
  messages: number;
}

/** Upper bound of the messages in a call that several appends share: Redis serves nobody else meanwhile. */
const MAX_SHARED = 500;
const OUTCOMES: Readonly<Record<number, AppendOnceOutcome>> = { 1: 'appended', 0: 'repeated', [-1]: 'expired' };

/**
 * Lets the idempotent appends that are made in one turn of the event loop share a call of the script: one edge's
 * impressions go to all partitions, a few to each. Appends that share a call succeed and fail together.
 */
export class SharedAppends {
  readonly #keys: Keys;
  readonly #spansPartitions: boolean;
  readonly #send: CallAppendOnce;
  /** The calls that are about to be made: by partition, or a single one. */
  readonly #open = new Map<number, SharedCall>();

  /** `spansPartitions`: one server has all partitions, so that appends to several can share a call. */
  constructor(keys: Keys, spansPartitions: boolean, send: CallAppendOnce) {
    this.#keys = keys;
    this.#spansPartitions = spansPartitions;
    this.#send = send;
  }

  add(partition: number, entries: readonly IdempotentEntry[]): Promise<AppendOnceOutcome[]> {
    const shared = this.#spansPartitions ? 0 : partition;
    return new Promise((resolve, reject) => {
      let call = this.#open.get(shared);
      if (call !== undefined && call.messages + entries.length > MAX_SHARED) {
        this.#flush(shared);
        call = undefined;
      }
      if (call === undefined) {
        call = { appends: [], messages: 0 };
        if (this.#open.size === 0) process.nextTick(() => this.#flushAll());
        this.#open.set(shared, call);
      }
      call.appends.push({ partition, entries, resolve, reject });
      call.messages += entries.length;
    });
  }

  #flushAll(): void {
    for (const shared of this.#open.keys()) this.#flush(shared);
  }

  #flush(shared: number): void {
    const { appends } = this.#open.get(shared)!;
    this.#open.delete(shared);
    const { keys, messages } = this.#argumentsOf(appends);
    this.#send(keys[0]!, keys.length, keys.concat(messages as string[])).then(
      (answers) => {
        let from = 0;
        for (const { entries, resolve } of appends) {
          resolve(entries.map((_, index) => OUTCOMES[answers[from + index]!]!));
          from += entries.length;
        }
      },
      (error) => {
        for (const { reject } of appends) reject(error);
      },
    );
  }

  #argumentsOf(appends: readonly PendingAppend[]): { readonly keys: string[]; readonly messages: (string | number)[] } {
    const keys: string[] = [];
    const messages: (string | number)[] = [];
    const indexes = new Map<string, number>();
    for (const { partition, entries } of appends) {
      for (const { bucketMs, id, expiresAtMs, payload, provisional, noteBefore, isForeign } of entries) {
        const seen = this.#keys.seen(partition, bucketMs);
        let index = indexes.get(seen);
        if (index === undefined) {
          index = keys.length + 1;
          indexes.set(seen, index);
          keys.push(this.#keys.stream(partition), seen, this.#keys.notes(partition, bucketMs));
        }
        const kind = provisional === undefined ? (noteBefore ?? '') : `?${provisional}`;
        messages.push(index, id, expiresAtMs, payload, isForeign ? `!${kind}` : kind);
      }
    }
    return { keys, messages };
  }
}
