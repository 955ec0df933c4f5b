import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { endProcess, track } from './child.ts';
import { OTHER_CORE, onCore } from './cores.ts';
import { freePort } from './exchange.ts';

export interface RedisForBench {
  readonly url: string;
  stop(): Promise<void>;
}

/** The server of REDIS_URL, or else a new server that syncs every write; null when there is neither. */
export async function findRedis(): Promise<RedisForBench | null> {
  const given = process.env.REDIS_URL;
  if (given) return { url: given, stop: async () => {} };
  return hasRedis() ? startRedis() : null;
}

export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** Starts a primary with `replicas` attached replicas. */
export async function startReplicated(replicas: number): Promise<RedisForBench> {
  const primary = await startRedis(['--repl-diskless-sync-delay', '0']);
  const { port } = new URL(primary.url);
  const started = await Promise.all(
    Array.from({ length: replicas }, () => startRedis(['--replicaof', `127.0.0.1 ${port}`])),
  );
  const client = new Redis(primary.url);
  while (((await client.role())[2] as unknown[]).length < replicas) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  client.disconnect();
  return {
    url: primary.url,
    async stop() {
      await Promise.all([primary, ...started].map((server) => server.stop()));
    },
  };
}

/** Starts a server that syncs every write. */
export async function startRedis(more: readonly string[] = []): Promise<RedisForBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const port = await freePort();
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];
  const [command, ...args] = onCore(OTHER_CORE, ['redis-server', ...settings, ...durable, ...more]);
  const server = track(spawn(command, args, { stdio: 'ignore' }));
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => {});
  await client.ping();
  client.disconnect();
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      await endProcess(server, 'SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
