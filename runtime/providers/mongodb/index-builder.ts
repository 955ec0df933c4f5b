import { type Db, type MongoClient, MongoServerError } from 'mongodb';
import { pause } from '#async/pause';
import type { KindStorage } from '../../ports/store.ts';
import { systemClock } from '../system/system-clock.ts';
import { actorsOf } from './document-at-rest.ts';
import { statePath } from './query-filter.ts';

const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;
/** An index of earlier releases that no query uses. */
const UNUSED = 'partition';
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Reports the progress of indexes to the operator. */
export type ReportIndexes = (message: string, fields: Readonly<Record<string, unknown>>) => void;

export interface IndexBuilderOptions {
  /** Opens the builder's own connection, on which a command may take any time. */
  readonly connect: () => Promise<MongoClient>;
  readonly databaseName: string;
  readonly report: ReportIndexes;
}

/**
 * Builds indexes while the store serves: a large collection takes minutes, and no caller waits for it. One collection
 * after the other, with one command each and without a deadline. Several processes may do the same at once: the server
 * builds an index once.
 */
export class IndexBuilder {
  readonly #options: IndexBuilderOptions;
  readonly #wanted = new Map<string, readonly string[]>();
  readonly #stop = new AbortController();
  #work: Promise<void> = Promise.resolve();
  #atWork = false;

  constructor(options: IndexBuilderOptions) {
    this.#options = options;
  }

  /** The kinds whose indexes are not known to be complete. */
  get unindexed(): readonly string[] {
    return [...this.#wanted.keys()];
  }

  want(kinds: readonly KindStorage[]): void {
    for (const { kind, indexes } of kinds) {
      this.#wanted.set(kind, [...new Set([...(this.#wanted.get(kind) ?? []), ...indexes.map(statePath)])]);
    }
    if (this.#atWork || this.#stop.signal.aborted) return;
    this.#atWork = true;
    this.#work = this.#run().finally(() => {
      this.#atWork = false;
    });
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('the store is closed'));
    await this.#work;
  }

  /** Runs until all indexes exist, or the store is closed. Never rejects. */
  async #run(): Promise<void> {
    const { report } = this.#options;
    for (let waitMs = FIRST_WAIT_MS; this.#wanted.size > 0; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      try {
        await this.#buildAll();
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        report('indexes could not be made: trying again', { error: String(error), kinds: this.unindexed, waitMs });
        await pause(systemClock, waitMs, this.#stop.signal);
      }
      if (this.#stop.signal.aborted) return;
    }
  }

  async #buildAll(): Promise<void> {
    const client = await this.#options.connect();
    // Ends the wait for a command; the server continues the build by itself.
    const end = () => void client.close().catch(() => {});
    const { signal } = this.#stop;
    signal.addEventListener('abort', end);
    try {
      const database = client.db(this.#options.databaseName);
      const missing = await this.#look(database);
      if (missing.size === 0) return;
      const { report } = this.#options;
      report('indexes are being made beside serving: what they are for is slower meanwhile', {
        kinds: [...missing.keys()],
      });
      const beganAtMs = performance.now();
      for (const [kind, { wanted, paths }] of missing) {
        signal.throwIfAborted();
        await actorsOf(database, kind).createIndexes(paths.map((path) => ({ key: { [path]: 1 } })));
        this.#done(kind, wanted);
      }
      report('indexes were made', { kinds: [...missing.keys()], tookMs: Math.round(performance.now() - beganAtMs) });
    } finally {
      signal.removeEventListener('abort', end);
      await client.close();
    }
  }

  /**
   * Finds the missing indexes. Existing ones are not requested again, because not every server of the protocol accepts
   * that.
   */
  async #look(database: Db): Promise<Map<string, { wanted: readonly string[]; paths: readonly string[] }>> {
    const missing = new Map<string, { wanted: readonly string[]; paths: readonly string[] }>();
    for (const [kind, wanted] of this.#wanted) {
      this.#stop.signal.throwIfAborted();
      const existing = await indexedPaths(database, kind);
      const paths = wanted.filter((path) => !existing.has(path));
      if (paths.length === 0) this.#done(kind, wanted);
      else missing.set(kind, { wanted, paths });
      const unused = existing.get(UNUSED);
      if (unused === undefined) continue;
      // Another process may have built it meanwhile.
      await actorsOf(database, kind)
        .dropIndex(unused)
        .catch((error: unknown) => (codeOf(error) === INDEX_NOT_FOUND ? undefined : Promise.reject(error)));
    }
    return missing;
  }

  /** Marks a kind as done, unless more indexes were requested meanwhile. */
  #done(kind: string, wanted: readonly string[]): void {
    if (this.#wanted.get(kind) === wanted) this.#wanted.delete(kind);
  }
}

/** The names of the indexes by path. */
async function indexedPaths(database: Db, kind: string): Promise<Map<string, string>> {
  try {
    const indexes = await actorsOf(database, kind).indexes();
    return new Map(indexes.map(({ key, name }) => [Object.keys(key).join(), String(name)]));
  } catch (error) {
    if (codeOf(error) === NAMESPACE_NOT_FOUND) return new Map();
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof MongoServerError ? error.code : undefined;
}
