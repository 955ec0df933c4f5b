import { randomUUID } from 'node:crypto';
import type { SharedRecord, SharedRecords } from '../../ports/shared-records.ts';
import type { Keys } from './keys.ts';
import { refusedAsOverloaded } from './refused-as-overloaded.ts';
import type { Routes } from './routes.ts';
import { SharedCalls } from './shared-calls.ts';

/** Whatever the number of partitions: records stay where they are when there are more. */
const GROUPS = 64;

/** Upper bound of the records in a command that several calls share. */
const MAX_SHARED = 100;

interface Replacement {
  readonly id: string;
  /** '' for no record. */
  readonly before: string;
  /** '' removes the record. */
  readonly kept: string;
}

/**
 * Shared records in Redis: each group is a hash. What is read and replaced in one turn of the event loop is one command
 * for each group: an edge leases from thousands of budgets, several of each group at a time.
 */
export class RedisSharedRecords implements SharedRecords {
  readonly groups = GROUPS;
  readonly #routes: Routes;
  readonly #keys: Keys;
  readonly #writer = randomUUID();
  readonly #reads = new SharedCalls<number, string, string | null>(
    MAX_SHARED,
    () => 1,
    (group, ids) => this.#readAll(group, ids),
  );
  readonly #replacements = new SharedCalls<number, Replacement, boolean>(
    MAX_SHARED,
    () => 1,
    (group, replacements) => this.#replaceAll(group, replacements),
  );
  #written = 0;

  constructor(routes: Routes, keys: Keys) {
    this.#routes = routes;
    this.#keys = keys;
  }

  async read(id: string): Promise<SharedRecord | null> {
    const kept = await this.#reads.add(groupOfRecord(id), id);
    return kept === null ? null : parse(kept);
  }

  replace(id: string, before: string | null, text: string | null): Promise<boolean> {
    const kept = text === null ? '' : `${this.#writer}-${++this.#written}\n${text}`;
    return this.#replacements.add(groupOfRecord(id), { id, before: before ?? '', kept });
  }

  async list(group: number): Promise<(SharedRecord & { readonly id: string })[]> {
    const key = this.#keys.records(group);
    const kept = await this.#routes.of(key).runReplicated((commands) => commands.hgetall(key));
    return Object.entries(kept).map(([id, record]) => ({ id, ...parse(record) }));
  }

  #readAll(group: number, ids: readonly string[]): Promise<(string | null)[]> {
    const key = this.#keys.records(group);
    return this.#routes.of(key).runReplicated((commands) => commands.hmget(key, ...ids));
  }

  async #replaceAll(group: number, replacements: readonly Replacement[]): Promise<boolean[]> {
    const key = this.#keys.records(group);
    const records = replacements.flatMap(({ id, before, kept }) => [id, before, kept]);
    const replaced = await refusedAsOverloaded(() =>
      this.#routes.of(key).runReplicated((commands) => commands.replaceRecords(key, ...records)),
    );
    return replaced.map((one) => one === 1);
  }
}

/** The group that has the record with an id. */
export function groupOfRecord(id: string): number {
  let hash = 0;
  for (let at = 0; at < id.length; at++) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
  return ((hash ^ (hash >>> 15)) >>> 0) % GROUPS;
}

function parse(record: string): SharedRecord {
  const end = record.indexOf('\n');
  return { version: record.slice(0, end), text: record.slice(end + 1) };
}
