import type { Redis } from 'ioredis';
import { readConfig } from '../read-config.ts';
import { type InSyncSet, noteDemoted, type ServerName } from './in-sync-set.ts';

/** The setting that prevents the promotion of a server: its name and its value. */
interface Unpromotable {
  readonly setting: string;
  readonly value: string;
  /** The default value in Redis. */
  readonly usual: string;
}

const BY_SENTINEL: Unpromotable = { setting: 'replica-priority', value: '0', usual: '100' };
const BY_CLUSTER: Unpromotable = { setting: 'cluster-replica-no-failover', value: 'yes', usual: 'no' };
/** The pause between two checks of the servers that were ever demoted, ms. */
const PAUSE_MS = 5_000;

interface PromotabilityDeps {
  /** Calls `ask` with a client of the named server, and closes the client afterwards. */
  readonly ask: <T>(server: ServerName, ask: (client: Redis) => Promise<T>) => Promise<T>;
  readonly cluster: boolean;
}

/**
 * Keeps Sentinel and the Redis Cluster from promoting servers that were dropped: a promoted server makes the others
 * copy it, and what it lacks would be lost. Best effort: a server that cannot be reached is demoted when it can be.
 *
 * The desired settings are computed from the set alone, so that any process may apply them, at any time and repeatedly.
 */
export class Promotability {
  readonly #deps: PromotabilityDeps;
  readonly #unpromotable: Unpromotable;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: PromotabilityDeps) {
    this.#deps = parts;
    this.#unpromotable = parts.cluster ? BY_CLUSTER : BY_SENTINEL;
  }

  /**
   * Returns `set` with the present settings of servers that are about to be dropped; the default for servers that
   * cannot be asked.
   */
  async withDemoted(set: InSyncSet, dropped: readonly ServerName[]): Promise<InSyncSet> {
    const before = await Promise.all(dropped.map((server) => this.#read(server)));
    this.#lookedMs = Number.NEGATIVE_INFINITY;
    return dropped.reduce((noted, server, at) => {
      const value = before[at] ?? this.#unpromotable.usual;
      return value === this.#unpromotable.value ? noted : noteDemoted(noted, server, value);
    }, set);
  }

  /**
   * Restores the settings of members and makes servers outside the set unpromotable. Never rejects; servers that cannot
   * be reached are retried later.
   */
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
