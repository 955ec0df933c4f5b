import { randomUUID } from 'node:crypto';
import { Overloaded } from '../../ports/errors.ts';
import type { Position } from '../../ports/position.ts';
import type { RelayedAppends, RelayedBatch, RelaySource, TooLateEntry } from '../../ports/relayed.ts';
import type { RedisCommands } from './client.ts';
import type { Keys } from './keys.ts';
import type { MemoryWatch } from './memory-watch.ts';
import { refusedAsOverloaded } from './refused-as-overloaded.ts';
import type { Routes } from './routes.ts';

/** The prefix of the field with the reason why a source was written off. */
export const WRITTEN_OFF = '!';

/** Entries of other logs on Redis Streams. What a partition has of each source is one hash in the partition's slot. */
export class RedisRelayedAppends implements RelayedAppends {
  readonly #routes: Routes;
  readonly #keys: Keys;
  readonly #partitions: number;
  readonly #memory: Pick<MemoryWatch, 'isShort'>;
  readonly #announce: (partition: number) => void;

  /** `partitions`: how many the log has. `announce`: called after each append, with its partition. */
  constructor(
    routes: Routes,
    keys: Keys,
    partitions: number,
    memory: Pick<MemoryWatch, 'isShort'>,
    announce: (partition: number) => void,
  ) {
    this.#routes = routes;
    this.#keys = keys;
    this.#partitions = partitions;
    this.#memory = memory;
    this.#announce = announce;
  }

  async identity(): Promise<string> {
    const key = this.#keys.identity();
    const count = this.#keys.partitions();
    const [known, partitions] = await this.#routes.of(key).runReplicated((commands) => commands.mget([key, count]));
    // A log that was emptied gets its number again before its data have a name.
    if (partitions === null) await this.#write(count, (commands) => commands.set(count, this.#partitions, 'NX', 'GET'));
    if (typeof known === 'string') return known;
    const made = `${Date.now().toString(36)}-${randomUUID().slice(0, 8)}`;
    return (await this.#write(key, (commands) => commands.set(key, made, 'NX', 'GET'))) ?? made;
  }

  async appendRelayed(partition: number, source: string, batch: RelayedBatch): Promise<Position> {
    if (this.#memory.isShort) throw new Overloaded('the memory of Redis is short');
    const stream = this.#keys.stream(partition);
    const keys = [stream, this.#keys.relayed(partition), this.#keys.tooLate(partition)];
    const indexes = new Map<number, number>();
    const told: (string | number)[] = [];
    for (const { bucketMs, from, id, expiresAtMs, payload, provisional, noteBefore, isOwn } of batch.entries) {
      let index = indexes.get(bucketMs);
      if (index === undefined) {
        index = keys.length + 1;
        indexes.set(bucketMs, index);
        keys.push(
          this.#keys.seen(partition, bucketMs),
          this.#keys.notes(partition, bucketMs),
          this.#keys.foreign(partition, bucketMs),
        );
      }
      const kind = provisional === undefined ? (noteBefore ?? '') : `?${provisional}`;
      told.push(index, from, id, expiresAtMs, payload, kind, isOwn ? '1' : '');
    }
    const head = [source, batch.after, Math.floor(batch.throughMs)];
    const position = await this.#write(stream, (commands) =>
      commands.appendRelayed(keys.length, ...keys, ...head, ...told),
    );
    if (batch.entries.length > 0) this.#announce(partition);
    return position;
  }

  async sources(partition: number): Promise<RelaySource[]> {
    const key = this.#keys.relayed(partition);
    const fields = await this.#routes.of(key).runReplicated((commands) => commands.hgetall(key));
    return Object.entries(fields)
      .filter(([source]) => !source.startsWith(WRITTEN_OFF))
      .map(([source, held]) => {
        const [position, through] = held.split(' ') as [string, string];
        return { source, position, throughMs: Number(through), writtenOff: fields[WRITTEN_OFF + source] ?? null };
      });
  }

  async writeOff(partition: number, source: string, why: string): Promise<void> {
    const key = this.#keys.relayed(partition);
    await this.#write(key, (commands) => commands.hsetnx(key, WRITTEN_OFF + source, why));
  }

  async tooLate(partition: number, limit: number): Promise<TooLateEntry[]> {
    const key = this.#keys.tooLate(partition);
    const found = await this.#routes
      .of(key)
      .runReplicated((commands) => commands.xrange(key, '-', '+', 'COUNT', limit));
    return found.map(([, [, source, , from, , payload]]) => ({ source, from, payload }) as TooLateEntry);
  }

  #write<T>(key: string, send: (commands: RedisCommands) => Promise<T>): Promise<T> {
    return refusedAsOverloaded(() => this.#routes.of(key).runReplicated(send));
  }
}
