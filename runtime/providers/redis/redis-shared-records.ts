import { randomUUID } from 'node:crypto';
import type { SharedRecord, SharedRecords } from '../../ports/shared-records.ts';
import type { Keys } from './keys.ts';
import { refusedAsOverloaded } from './refused-as-overloaded.ts';
import type { Routes } from './routes.ts';

/** Whatever the number of partitions: records stay where they are when there are more. */
const GROUPS = 64;

/** Shared records in Redis: each group is a hash. */
export class RedisSharedRecords implements SharedRecords {
  readonly groups = GROUPS;
  readonly #routes: Routes;
  readonly #keys: Keys;
  readonly #writer = randomUUID();
  #written = 0;

  constructor(routes: Routes, keys: Keys) {
    this.#routes = routes;
    this.#keys = keys;
  }

  async read(id: string): Promise<SharedRecord | null> {
    const key = this.#keyOf(id);
    const kept = await this.#routes.of(key).runReplicated((commands) => commands.hget(key, id));
    return kept === null ? null : parse(kept);
  }

  async replace(id: string, before: string | null, text: string | null): Promise<boolean> {
    const key = this.#keyOf(id);
    const kept = text === null ? '' : `${this.#writer}-${++this.#written}\n${text}`;
    const replaced = await refusedAsOverloaded(() =>
      this.#routes.of(key).runReplicated((commands) => commands.replaceRecord(key, id, before ?? '', kept)),
    );
    return replaced === 1;
  }

  async list(group: number): Promise<(SharedRecord & { readonly id: string })[]> {
    const key = this.#keys.records(group);
    const kept = await this.#routes.of(key).runReplicated((commands) => commands.hgetall(key));
    return Object.entries(kept).map(([id, record]) => ({ id, ...parse(record) }));
  }

  #keyOf(id: string): string {
    let hash = 0;
    for (let at = 0; at < id.length; at++) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
    return this.#keys.records(((hash ^ (hash >>> 15)) >>> 0) % GROUPS);
  }
}

function parse(record: string): SharedRecord {
  const end = record.indexOf('\n');
  return { version: record.slice(0, end), text: record.slice(end + 1) };
}
