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

/** REDIS_URL where it is given, else a server of our own that syncs every write; null where there is neither. */
export async function findRedis(): Promise<RedisForBench | null> {
  const given = process.env.REDIS_URL;
  if (given) return { url: given, stop: async () => {} };
  if (spawnSync('redis-server', ['--version']).status !== 0) return null;
  const folder = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const port = await freePort();
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];
  const [command, ...args] = onCore(OTHER_CORE, ['redis-server', ...settings, ...durable]);
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
