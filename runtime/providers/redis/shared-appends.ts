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
  keysAndMessages: readonly string[],
) => Promise<readonly number[]>;

interface Append {
  readonly partition: number;
  readonly entries: readonly IdempotentEntry[];
}

/** Appends that share a call: those to a partition, or to any; and to data of one name. */
type Group = number | string;

/** The keys of one hour of issue in one partition: every call of the script names some of them. */
interface HourKeys {
  readonly stream: string;
  readonly seen: string;
  readonly notes: string;
  /** The call that named them last, and the index of the stream among its keys. */
  call: number;
  index: number;
}

const MAX_SHARED = 500;
/**
 * Impressions are of the present hour of issue and the one before; spooled ones, and all within a longer render window,
 * may be of others, whose names are then made anew.
 */
const KEPT_HOURS = 4;
const OUTCOMES: Readonly<Record<number, AppendOnceOutcome>> = { 1: 'appended', 0: 'repeated', [-1]: 'expired' };

/**
 * Lets the idempotent appends that are made in one callback of the event loop share a call of the script: one edge's
 * impressions go to all partitions, a few to each. Appends that share a call succeed and fail together.
 */
export class SharedAppends {
  readonly #keys: Keys;
  readonly #partitions: number;
  readonly #spansPartitions: boolean;
  readonly #send: CallAppendOnce;
  /** By hour of issue and partition. */
  readonly #hours = new Map<number, HourKeys[]>();
  /** The number of calls made. */
  #made = 0;
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
    const answers = await this.#send(keys[0]!, keys.length, keys.concat(messages));
    let from = 0;
    return appends.map(({ entries }) => {
      const outcomes = entries.map((_, index) => OUTCOMES[answers[from + index]!]!);
      from += entries.length;
      return outcomes;
    });
  }

  #argumentsOf(appends: readonly Append[], ofData: string): { readonly keys: string[]; readonly messages: string[] } {
    const call = ++this.#made;
    const keys: string[] = [];
    const messages = [this.#spansPartitions ? String(this.#partitions) : '', ofData];
    for (const { partition, entries } of appends) {
      for (const { bucketMs, id, expiresAtMs, payload, provisional, noteBefore, isForeign } of entries) {
        const hour = this.#hourKeys(partition, bucketMs);
        if (hour.call !== call) {
          hour.call = call;
          hour.index = keys.length + 1;
          keys.push(hour.stream, hour.seen, hour.notes);
        }
        const kind = provisional === undefined ? (noteBefore ?? '') : `?${provisional}`;
        messages.push(`${hour.index} ${expiresAtMs} ${isForeign ? '!' : ''}${kind}\n${id}\n${payload}`);
      }
    }
    if (this.#spansPartitions) keys.push(this.#keys.partitions(), this.#keys.identity());
    return { keys, messages };
  }

  #hourKeys(partition: number, bucketMs: number): HourKeys {
    let ofHour = this.#hours.get(bucketMs);
    if (ofHour === undefined) {
      if (this.#hours.size === KEPT_HOURS) this.#hours.clear();
      ofHour = [];
      this.#hours.set(bucketMs, ofHour);
    }
    ofHour[partition] ??= {
      stream: this.#keys.stream(partition),
      seen: this.#keys.seen(partition, bucketMs),
      notes: this.#keys.notes(partition, bucketMs),
      call: 0,
      index: 0,
    };
    return ofHour[partition];
  }
}
