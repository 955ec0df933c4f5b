import type { Redis } from 'ioredis';
import { readConfig } from '../read-config.ts';
import { type InSyncSet, noteDemoted, type ServerName } from './in-sync-set.ts';

/** The setting by which a server is not promoted: its name, and the value that says so. */
interface Unpromotable {
  readonly setting: string;
  readonly value: string;
  /** What Redis has unless it is told otherwise. */
  readonly usual: string;
}

const BY_SENTINEL: Unpromotable = { setting: 'replica-priority', value: '0', usual: '100' };
const BY_CLUSTER: Unpromotable = { setting: 'cluster-replica-no-failover', value: 'yes', usual: 'no' };
/** Between two looks at the servers that were ever demoted. */
const PAUSE_MS = 5_000;

interface PromotabilityDeps {
  /** Calls `ask` with a client of a server of this name, which is closed after. */
  readonly ask: <T>(server: ServerName, ask: (client: Redis) => Promise<T>) => Promise<T>;
  readonly cluster: boolean;
}

/**
 * Sees to it that Sentinel and the Redis Cluster do not promote servers that were dropped: whatever is promoted makes the others copy
 * it, and what it lacks would be gone. As well as can be: a server that cannot be reached is demoted when it can be.
 *
 * What is to be is computed from the set alone, so that any process may do it, at any time and again.
 */
export class Promotability {
  readonly #deps: PromotabilityDeps;
  readonly #unpromotable: Unpromotable;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: PromotabilityDeps) {
    this.#deps = parts;
    this.#unpromotable = parts.cluster ? BY_CLUSTER : BY_SENTINEL;
  }

  /** `set` with what servers that are about to be dropped were set to; what cannot be asked was as usual. */
  async withDemoted(set: InSyncSet, dropped: readonly ServerName[]): Promise<InSyncSet> {
    const before = await Promise.all(dropped.map((server) => this.#read(server)));
    this.#lookedMs = Number.NEGATIVE_INFINITY;
    return dropped.reduce((noted, server, at) => {
      const value = before[at] ?? this.#unpromotable.usual;
      return value === this.#unpromotable.value ? noted : noteDemoted(noted, server, value);
    }, set);
  }

  /** Members are as they were before, those outside unpromotable. Never rejects; what cannot be reached is for later. */
  async reconcile(set: InSyncSet): Promise<void> {
    if (performance.now() - this.#lookedMs < PAUSE_MS) return;
    this.#lookedMs = performance.now();
    const members = new Set(set.groups.flatMap((group) => group.members));
    await Promise.all(
      Object.entries(set.demoted).map(([server, before]) =>
        this.#set(server, members.has(server) ? before : this.#unpromotable.value),
      ),
    );
  }

  #read(server: ServerName): Promise<string | undefined> {
    const { setting } = this.#unpromotable;
    return this.#deps
      .ask(server, async (client) => (await readConfig(client, [setting]))?.get(setting))
      .catch(() => undefined);
  }

  async #set(server: ServerName, value: string): Promise<void> {
    const { setting } = this.#unpromotable;
    await this.#deps
      .ask(server, async (client) => {
        if ((await readConfig(client, [setting]))?.get(setting) !== value) await client.config('SET', setting, value);
      })
      .catch(() => {});
  }
}
