import type { AppendOnceOutcome, IdempotentEntry } from '../../ports/log.ts';
import type { Keys } from './keys.ts';
import { SharedCalls } from './shared-calls.ts';

/**
 * Appends by one call of the script; resolves with its answers. `stream` is the stream of one of the messages, `keys`
 * the number of keys at the beginning of `keysAndMessages`.
 */
export type CallAppendOnce = (
  stream: string,
  keys: number,
  keysAndMessages: readonly (string | number)[],
) => Promise<readonly number[]>;

interface Append {
  readonly partition: number;
  readonly entries: readonly IdempotentEntry[];
}

/** Appends that share a call: those to a partition, or to any; and to data of one name. */
type Group = number | string;

const MAX_SHARED = 500;
const OUTCOMES: Readonly<Record<number, AppendOnceOutcome>> = { 1: 'appended', 0: 'repeated', [-1]: 'expired' };

/**
 * Lets the idempotent appends that are made in one turn of the event loop share a call of the script: one edge's
 * impressions go to all partitions, a few to each. Appends that share a call succeed and fail together.
 */
export class SharedAppends {
  readonly #keys: Keys;
  readonly #partitions: number;
  readonly #spansPartitions: boolean;
  readonly #send: CallAppendOnce;
  readonly #calls = new SharedCalls<Group, Append, AppendOnceOutcome[]>(
    MAX_SHARED,
    ({ entries }) => entries.length,
    (group, appends) => this.#append(appends, typeof group === 'string' ? group : ''),
  );

  /**
   * `partitions`: how many the log has. `spansPartitions`: one server has all of them, so that appends to several can
   * share a call, and the call keeps their number there and compares the name of the data.
   */
  constructor(keys: Keys, partitions: number, spansPartitions: boolean, send: CallAppendOnce) {
    this.#keys = keys;
    this.#partitions = partitions;
    this.#spansPartitions = spansPartitions;
    this.#send = send;
  }

  /** `ofData`: the name that the data must have; by default any. */
  add(partition: number, entries: readonly IdempotentEntry[], ofData = ''): Promise<AppendOnceOutcome[]> {
    const group = this.#spansPartitions ? ofData || 0 : partition;
    return this.#calls.add(group, { partition, entries });
  }

  async #append(appends: readonly Append[], ofData: string): Promise<AppendOnceOutcome[][]> {
    const { keys, messages } = this.#argumentsOf(appends, ofData);
    const answers = await this.#send(keys[0]!, keys.length, keys.concat(messages as string[]));
    let from = 0;
    return appends.map(({ entries }) => {
      const outcomes = entries.map((_, index) => OUTCOMES[answers[from + index]!]!);
      from += entries.length;
      return outcomes;
    });
  }

  #argumentsOf(
    appends: readonly Append[],
    ofData: string,
  ): { readonly keys: string[]; readonly messages: (string | number)[] } {
    const keys: string[] = [];
    const messages: (string | number)[] = [this.#spansPartitions ? this.#partitions : '', ofData];
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
    if (this.#spansPartitions) keys.push(this.#keys.partitions(), this.#keys.identity());
    return { keys, messages };
  }
}
