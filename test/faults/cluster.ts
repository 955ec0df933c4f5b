import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import type { Context } from 'mocha';
import { MongoClient } from 'mongodb';
import { desiredPartitions } from '../../runtime/node/desired-partitions.ts';
import { DEFAULT_TUNING, type Tuning } from '../../runtime/node/tuning.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { openMongodbStore } from '../../runtime/providers/mongodb/open-mongodb-store.ts';
import { Keys } from '../../runtime/providers/redis/keys.ts';
import { eventually } from '../support/eventually.ts';
import { mongodbUrl } from '../support/real-servers.ts';
import { type RedisServer, requireRedisServer, startRedisServer } from '../support/redis-server.ts';
import type { ActorsProcessOptions, Report } from './actors-process.ts';
import type { KillPoint } from './kill-point.ts';
import { Load } from './load.ts';
import { type MongodbProxy, openMongodbProxy } from './mongodb-proxy.ts';

/**
 * The product's own numbers, but for actors that leave memory early: they pass, and their outboxes at rest are emptied.
 */
export const AS_SHIPPED: Partial<Tuning> = { idleMs: 600 };

/** The default proportions at 3/10 of the time, so that a suite of many takeovers stays short. */
const QUICK: Partial<Tuning> = {
  ...AS_SHIPPED,
  leaseTtlMs: DEFAULT_TUNING.leaseTtlMs * 0.3,
  placementIntervalMs: DEFAULT_TUNING.placementIntervalMs * 0.3,
};

/** So many that each of two processes has some: rendezvous hashing leaves one with none once in 30,000. */
export const PARTITIONS = 16;
/** Three processes at a time and the test itself share a server that may have 100 connections for all statements. */
const POOL_SIZE = 2;
const WRITE_BATCH = 12;
const PROGRAM = fileURLToPath(new URL('./actors-process.js', import.meta.url));

type Alarm = Extract<Report, { about: 'alarm' }>;

/** One process that hosts actors. */
export class ActorsProcess {
  readonly name: string;
  readonly alarms: Alarm[] = [];
  owned: readonly number[] = [];
  readonly #child: ChildProcess;
  readonly #log: string[];
  #signal: NodeJS.Signals | null = null;

  constructor(options: ActorsProcessOptions, log: string[]) {
    this.name = options.name;
    this.#log = log;
    this.#child = fork(PROGRAM, [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.on('message', (report: Report) => {
      if (report.about === 'owned') this.owned = report.partitions;
      else if (report.about === 'alarm') this.alarms.push(report);
      else this.#log.push(report.line);
    });
    this.#child.once('exit', (code, signal) => {
      this.owned = [];
      this.#signal = signal;
      this.#log.push(`${this.name} ended: ${signal ?? code}`);
    });
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#signal !== null;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.died();
  }

  /** Resolves when the process was ended by SIGKILL, its own or ours. */
  async died(): Promise<void> {
    await eventually(`${this.name} to be killed`, () => this.ended, { timeoutMs: 60_000 });
    if (this.#signal !== 'SIGKILL') throw new Error(`${this.name} ended by itself: ${this.#child.exitCode}`);
  }

  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** Asks it to hand over what it owns, and waits for its end. */
  async stop(): Promise<void> {
    if (this.ended) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exit;
    if (this.#child.exitCode !== 0) throw new Error(`${this.name} could not stop: ${this.#child.exitCode}`);
  }

  /** Whatever state it is in. */
  async end(): Promise<void> {
    if (this.ended) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }
}

/** A Redis of its own, a database of its own behind a proxy, processes that host actors, and one that sends to them. */
export class Cluster {
  readonly redis: RedisServer;
  readonly mongodb: MongodbProxy;
  readonly load: Load;
  /** The store past the proxy. */
  readonly store: StateStore;
  /** What the processes logged, to be shown with a failure. */
  readonly log: string[] = [];
  readonly #direct: MongoClient;
  readonly #database: string;
  readonly #processes: ActorsProcess[] = [];
  readonly #proxies: MongodbProxy[] = [];
  readonly #url: string;

  static async open(test: Context): Promise<Cluster> {
    requireRedisServer(test);
    const url = mongodbUrl(test);
    const database = `faults-${randomUUID().slice(0, 13)}`;
    const redis = await startRedisServer();
    const mongodb = await openMongodbProxy(url, POOL_SIZE);
    const direct = await new MongoClient(url).connect();
    const store = await openMongodbStore({ url, database, writeBatch: WRITE_BATCH });
    const load = await Load.open(redis.url, PARTITIONS, store);
    return new Cluster(redis, mongodb, direct, url, database, store, load);
  }

  private constructor(
    redis: RedisServer,
    mongodb: MongodbProxy,
    direct: MongoClient,
    url: string,
    database: string,
    store: StateStore,
    load: Load,
  ) {
    this.redis = redis;
    this.mongodb = mongodb;
    this.#direct = direct;
    this.#url = url;
    this.#database = database;
    this.store = store;
    this.load = load;
  }

  /** A proxy that stands between the store and one process alone. */
  async ownProxy(): Promise<MongodbProxy> {
    const proxy = await openMongodbProxy(this.#url, POOL_SIZE);
    this.#proxies.push(proxy);
    return proxy;
  }

  /** Starts a process; `settled` tells when it has its share. */
  startActors(
    options: { tuning?: Partial<Tuning>; death?: KillPoint; storeTimeoutMs?: number; mongodb?: MongodbProxy } = {},
  ): ActorsProcess {
    const { tuning = QUICK, death = null, storeTimeoutMs = 5_000, mongodb = this.mongodb } = options;
    const started = new ActorsProcess(
      {
        name: `actors-${this.#processes.length + 1}`,
        redisUrl: this.redis.url,
        partitions: PARTITIONS,
        mongodbUrl: mongodb.url,
        database: this.#database,
        writeBatch: WRITE_BATCH,
        storeTimeoutMs,
        tuning,
        death,
      },
      this.log,
    );
    this.#processes.push(started);
    return started;
  }

  /** Resolves when every partition has an owner among `processes`, and each of these owns at least one. */
  async settled(...processes: ActorsProcess[]): Promise<void> {
    const names = processes.map(({ name }) => name).join(' and ');
    await eventually(
      `${names} to share the partitions`,
      () => {
        const owned = processes.flatMap((one) => one.owned);
        return new Set(owned).size === PARTITIONS && processes.every((one) => one.owned.length > 0);
      },
      { timeoutMs: 60_000 },
    );
  }

  /** Resolves when each of `processes`, all there are, owns exactly its share: nothing is to move any more. */
  async placed(...processes: ActorsProcess[]): Promise<void> {
    const client = new Redis(this.redis.url);
    const key = new Keys('adx').members();
    const lists = (shares: Iterable<number>[]) => shares.map((share) => [...share].sort((a, b) => a - b).join()).sort();
    try {
      await eventually(
        'each process to own its share',
        async () => {
          const names = await client.zrange(key, '0', '-1');
          const members = names.map((name) => ({
            name,
            condition: { fitness: 'fit' as const, declines: [] },
            leftMs: 0,
          }));
          const desired = lists(names.map((name) => desiredPartitions(name, PARTITIONS, members)));
          return desired.join(' | ') === lists(processes.map(({ owned }) => owned)).join(' | ');
        },
        { timeoutMs: 60_000 },
      );
    } finally {
      client.disconnect();
    }
  }

  /**
   * Deletes those keys of a partition that match, as a careless hand or a lost disk would; resolves with their number.
   */
  async wipe(partition: number, keys: RegExp): Promise<number> {
    const client = new Redis(this.redis.url);
    try {
      const found = (await client.keys(`{*:${partition}}:*`)).filter((key) => keys.test(key));
      return found.length > 0 ? await client.del(...found) : 0;
    } finally {
      client.disconnect();
    }
  }

  /** Resolves when so many clients of Redis wait in a read. */
  async blockedReaders(count: number): Promise<void> {
    const client = new Redis(this.redis.url);
    try {
      await eventually(`${count} readers to wait`, async () =>
        (await client.info('clients')).includes(`blocked_clients:${count}\r`),
      );
    } finally {
      client.disconnect();
    }
  }

  get alarms(): Alarm[] {
    return this.#processes.flatMap(({ alarms }) => alarms);
  }

  async close(): Promise<void> {
    await this.load.close();
    await Promise.all(this.#processes.map((one) => one.end()));
    await this.store.close();
    await Promise.all([this.mongodb, ...this.#proxies].map((proxy) => proxy.close()));
    await this.redis.remove();
    await this.#direct.db(this.#database).dropDatabase();
    await this.#direct.close();
  }
}
