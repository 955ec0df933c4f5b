import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { openReplicationProxy, type ReplicationProxy } from './replication-proxy.ts';

/** So that a suite that ends in the middle leaves no server behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const server of running) server.kill('SIGKILL');
});

const DURABLE = {
  save: '',
  appendonly: 'yes',
  appendfsync: 'always',
  maxmemory: '1gb',
  'maxmemory-policy': 'noeviction',
  // A replica that comes back takes over at once what was written meanwhile.
  'repl-diskless-sync-delay': '0',
  'repl-backlog-size': '64mb',
};

/** What a server says of its replication. */
export interface Replication {
  readonly role: 'master' | 'slave';
  /** Announced ports of the replicas that have the whole data set. */
  readonly online: readonly number[];
  readonly linkUp: boolean;
}

/**
 * A redis-server (or a Sentinel) with a configuration file that it may rewrite, as Sentinel demands. Others know a
 * redis-server by the port of the proxy before it.
 */
export class RedisNode {
  readonly port: number;
  readonly #folder: string;
  readonly #proxy: ReplicationProxy | null;
  readonly #sentinel: boolean;
  #process: ChildProcess | null = null;
  #client: Redis | null = null;

  /** Of a redis-server; `settings` are lines of redis.conf. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<RedisNode> {
    const port = await freePort();
    const proxy = await openReplicationProxy(port);
    const announced: Record<string, string> = {
      'replica-announce-ip': '127.0.0.1',
      'replica-announce-port': `${proxy.port}`,
      ...(settings['cluster-enabled'] && {
        'cluster-announce-ip': '127.0.0.1',
        'cluster-announce-port': `${proxy.port}`,
      }),
    };
    const node = new RedisNode(port, await folder(), proxy, false);
    await node.#configure({ ...DURABLE, ...announced, ...settings });
    await node.restart();
    return node;
  }

  /** Lines of sentinel.conf. */
  static async startSentinel(lines: readonly string[]): Promise<RedisNode> {
    const node = new RedisNode(await freePort(), await folder(), null, true);
    await node.#configure({}, lines);
    await node.restart();
    return node;
  }

  private constructor(port: number, where: string, proxy: ReplicationProxy | null, sentinel: boolean) {
    this.port = port;
    this.#folder = where;
    this.#proxy = proxy;
    this.#sentinel = sentinel;
  }

  /** The link that clients and replicas have to it. */
  get link(): ReplicationProxy {
    if (!this.#proxy) throw new Error('a Sentinel is asked directly');
    return this.#proxy;
  }

  get announcedPort(): number {
    return this.#proxy?.port ?? this.port;
  }

  /** Asks it directly, past the proxy. */
  async command(name: string, ...args: (string | number)[]): Promise<unknown> {
    this.#client ??= this.#connect();
    return this.#client.call(name, ...args.map(String));
  }

  async replication(): Promise<Replication> {
    const info = String(await this.command('INFO', 'replication'));
    const online = [...info.matchAll(/^slave\d+:ip=.*?,port=(\d+),state=online/gm)].map(([, port]) => Number(port));
    const role = /^role:slave/m.test(info) ? 'slave' : 'master';
    return { role, online, linkUp: /^master_link_status:up/m.test(info) };
  }

  /** Resolves when it serves. */
  async restart(...args: string[]): Promise<void> {
    const sentinel = this.#sentinel ? ['--sentinel'] : [];
    const child = spawn('redis-server', [join(this.#folder, 'redis.conf'), ...args, ...sentinel], { stdio: 'ignore' });
    this.#process = child;
    running.add(child);
    await eventually(`redis-server to answer on port ${this.port}`, async () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${this.#folder}`);
      return (await this.command('PING')) === 'PONG';
    });
  }

  /** As kill −9 does. */
  async kill(): Promise<void> {
    this.#client?.disconnect();
    this.#client = null;
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
    running.delete(child);
  }

  async remove(): Promise<void> {
    await this.kill();
    await this.#proxy?.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #configure(settings: Readonly<Record<string, string>>, lines: readonly string[] = []): Promise<void> {
    const all = { port: `${this.port}`, bind: '127.0.0.1', dir: this.#folder, logfile: 'server.log', ...settings };
    const written = Object.entries(all).map(([name, value]) => `${name} ${value || '""'}`);
    await writeFile(join(this.#folder, 'redis.conf'), `${[...written, ...lines].join('\n')}\n`);
  }

  #connect(): Redis {
    const client = new Redis({
      port: this.port,
      retryStrategy: () => 50,
      maxRetriesPerRequest: 0,
      commandTimeout: 5_000,
    });
    client.on('error', () => {});
    return client;
  }
}

function folder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'faults-redis-'));
}
