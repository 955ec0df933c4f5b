import { Cluster, type Redis } from 'ioredis';
import { LogUnavailable, LogUnsafe } from '#runtime/ports/errors';
import type { StateStore } from '#runtime/ports/store';
import type { RedisClient } from '../client.ts';
import type { CommandRunner } from '../command-runner.ts';
import { durabilityFaults } from '../durability.ts';
import type { RedisAddress } from '../redis-url.ts';
import { askServer } from './ask-server.ts';
import { DataEpoch } from './data-epoch.ts';
import { InSyncKeeper } from './in-sync-keeper.ts';
import { beginSet, formSet, type InSyncSet, type ServerName } from './in-sync-set.ts';
import { InSyncSetStore, type StoredInSyncSet } from './in-sync-set-store.ts';
import { Promotability } from './promotability.ts';
import { clusterRoutes, type ReplicatedRoutes, serverRoutes } from './replicated-routes.ts';
import { type LinkDeps, ServerLink } from './server-link.ts';

/** The options of a replicated log. */
export interface ReplicationOptions {
  /**
   * The number of replicas of each primary when the set of servers in sync is formed: all that may be promoted. At
   * least 1.
   */
  readonly waitReplicas: number;
  /**
   * The number of replicas that stay in the set when others are unavailable. With `waitReplicas` none is ever dropped
   * automatically.
   */
  readonly minReplicas: number;
  /** The store of the set. */
  readonly store: Pick<StateStore, 'load' | 'save'>;
  /** The unique name of this process. */
  readonly writer: string;
  /** Called each time that a server is found that may not be used. */
  readonly notInSync?: () => void;
}

interface ReplicatedLogDeps {
  readonly client: RedisClient;
  readonly address: RedisAddress;
  readonly prefix: string;
  readonly requests: CommandRunner;
  readonly report: (problem: string, cause: unknown) => void;
}

const CALM_ROUND_MS = 1_000;
/** The interval of rounds while calls are refused, ms. */
const CLOSE_ROUND_MS = 200;

/** Keeps a log on replicated servers exact across failovers (decision 0070). */
export class ReplicatedLog {
  readonly routes: ReplicatedRoutes;
  readonly #deps: ReplicatedLogDeps;
  readonly #options: ReplicationOptions;
  readonly #linkDeps: LinkDeps;
  readonly #setStore: InSyncSetStore;
  readonly #inSyncKeeper: InSyncKeeper;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #lastReport = '';

  constructor(parts: ReplicatedLogDeps, options: ReplicationOptions) {
    const { client, address, prefix, requests, report } = parts;
    this.#deps = parts;
    this.#options = options;
    const servers = new InSyncSetStore(options.store, options.writer);
    const epoch = new DataEpoch(prefix);
    this.#setStore = servers;
    this.#linkDeps = {
      servers,
      epoch,
      notInSync: (reason) => {
        options.notInSync?.();
        if (this.#lastReport !== reason) report('a Redis server that is not in sync', new Error(reason));
        this.#lastReport = reason;
      },
      notPrimary: (replica) => {
        if (client instanceof Cluster) client.refreshSlotsCache();
        else replica.disconnect(true);
      },
    };
    this.routes =
      client instanceof Cluster
        ? clusterRoutes(client, this.#linkDeps, requests)
        : serverRoutes(client, this.#linkDeps, requests);
    this.#inSyncKeeper = new InSyncKeeper({
      servers,
      writeEpoch: (link, value) => epoch.write(link.client, value),
      unfit: (replica) => this.#unfit(replica),
      promotability: new Promotability({
        ask: (server, ask) => askServer(address, server, ask),
        cluster: address.cluster,
      }),
      minReplicas: options.minReplicas,
      report,
    });
  }

  /** Creates a link for another connection, which leads to the same server as the commands or to none. */
  linkOf(client: Redis): ServerLink {
    return new ServerLink(client, this.#linkDeps);
  }

  /**
   * Resolves when the servers in sync acknowledge. Forms the set when there is none, and maintains it from then on.
   *
   * @throws {LogUnavailable} when that is not possible yet
   * @throws {LogUnsafe} when a server would not keep what it acknowledges
   */
  async open(withinMs: number): Promise<void> {
    const deadlineMs = performance.now() + withinMs;
    for (;;) {
      try {
        await this.#form();
        if (this.#timer === undefined) {
          await Promise.all(this.routes.links().map((link) => link.verify()));
          this.#schedule();
        }
        // Missing servers may be dropped meanwhile.
        if (this.routes.refusal === undefined) return;
        throw new LogUnavailable(this.routes.refusal);
      } catch (error) {
        if (error instanceof LogUnsafe || performance.now() > deadlineMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, CLOSE_ROUND_MS));
      }
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #form(): Promise<void> {
    const kept = await this.#setStore.read();
    if (kept.set?.groups.every(({ written }) => written > 0)) return;
    const { waitReplicas } = this.#options;
    const links = this.routes.links();
    const seen = await Promise.all(links.map((link) => link.observe()));
    if (kept.set)
      return await this.#begin(
        kept,
        kept.set,
        seen.map(({ name }, at) => ({ name, link: links[at]! })),
      );
    const attached = seen.map(({ name, role, epoch }) => ({
      primary: name,
      replicas: [...role.replicas.keys()],
      epoch,
    }));
    for (const { primary, replicas } of attached) {
      if (replicas.length < waitReplicas) {
        throw new LogUnavailable(`Redis: ${primary} has ${replicas.length} of ${waitReplicas} replicas yet`);
      }
    }
    if (links.length === 0) throw new LogUnavailable('Redis: no primary is known yet');
    const faults = await Promise.all(
      attached.flatMap(({ primary, replicas }) => [primary, ...replicas]).map((server) => this.#unfit(server)),
    );
    const fault = faults.find((one) => one !== undefined);
    if (fault !== undefined) throw new LogUnsafe(fault);
    await this.#setStore.replace(kept, formSet(attached));
    throw new LogUnavailable('Redis: the set of servers in sync is being formed');
  }

  /**
   * Writes first epochs that are missing in the primaries' data: a primary without the first epoch of its set could
   * lose everything unnoticed.
   */
  async #begin(
    kept: StoredInSyncSet,
    set: InSyncSet,
    primaries: readonly { readonly name: ServerName; readonly link: ServerLink }[],
  ): Promise<void> {
    for (const { members, epoch } of set.groups.filter(({ written }) => written === 0)) {
      const primary = primaries.find(({ name }) => members.includes(name));
      if (!primary) throw new LogUnavailable(`Redis: ${members.join(', ')} is no primary that is known`);
      await this.#deps.requests.run(() => this.#linkDeps.epoch.write(primary.link.client, epoch));
    }
    await this.#setStore.replace(kept, beginSet(set));
  }

  async #unfit(server: ServerName): Promise<string | undefined> {
    const faults = await askServer(this.#deps.address, server, durabilityFaults).catch((error: Error) => [
      error.message,
    ]);
    return faults.length > 0 ? `${server}: ${faults.join('; ')}` : undefined;
  }

  #schedule(): void {
    if (this.#closed) return;
    const pauseMs = this.routes.refusal === undefined ? CALM_ROUND_MS : CLOSE_ROUND_MS;
    this.#timer = setTimeout(() => void this.#round().finally(() => this.#schedule()), pauseMs);
    this.#timer.unref();
  }

  async #round(): Promise<void> {
    await Promise.all(
      this.routes.links().map(async (link) => {
        const seen = await link.verify().catch(() => undefined);
        if (seen === undefined) return;
        this.#lastReport = '';
        await this.#inSyncKeeper.reconcile(link, seen);
      }),
    );
    if (this.routes.refusal !== undefined && this.#deps.client instanceof Cluster)
      this.#deps.client.refreshSlotsCache();
  }
}
