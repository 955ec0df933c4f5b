import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Context } from 'mocha';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { skipWithReason } from './skipped-tests.ts';

/** The servers of this process, which are killed when it exits, so that an interrupted run leaves none behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const server of running) server.kill('SIGKILL');
});

/** A redis-server of one test, on a free port, with a folder of its own. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
  /** Starts the server again on the same port and files. */
  start(): Promise<void>;
  /** Kills the server, and starts it again without anything that it had. */
  wipe(): Promise<void>;
  /** Kills the server and removes its files. */
  remove(): Promise<void>;
}

/** Skips the test when redis-server is not installed; with REQUIRE_REAL_SERVERS=1 fails it instead. */
export function requireRedisServer(test: Context): void {
  if (spawnSync('redis-server', ['--version']).status === 0) return;
  if (process.env.REQUIRE_REAL_SERVERS === '1') throw new Error('redis-server is not installed, and it is required');
  skipWithReason(test, 'redis-server is not installed');
}

/**
 * Starts a server; `settings` are lines of redis.conf. Every write is durable unless they say otherwise. `environment`:
 * variables beside those of this process.
 */
export async function startRedisServer(
  settings: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'exchange-redis-'));
  const port = settings.port ? Number(settings.port) : await freePort();
  const all: Record<string, string> = {
    port: `${port}`,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: 'always',
    maxmemory: '1gb',
    'maxmemory-policy': 'noeviction',
    ...settings,
  };
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    server = spawn('redis-server', ['-'], {
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    running.add(server);
    server.stdin!.end(
      Object.entries(all)
        .map(
          ([name, value]) => `${name} ${value || '""'}
`,
        )
        .join(''),
    );
    const client = new Redis({ port, lazyConnect: true, retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on('error', () => {});
    try {
      await eventually(`redis-server to answer on port ${port}`, async () => {
        if (client.status === 'wait') client.connect().catch(() => {});
        return client.status === 'ready';
      });
    } finally {
      client.disconnect();
    }
  }

  async function kill(): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
    running.delete(server);
  }

  async function wipe(): Promise<void> {
    await remove();
    await mkdir(folder);
    await start();
  }

  async function remove(): Promise<void> {
    await kill();
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    wipe,
    remove,
  };
}
