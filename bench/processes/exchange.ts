import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeOptions } from '#version';
import { endProcess, execArguments, track } from './child.ts';
import { onCore } from './cores.ts';

export const SECRET_KEY = 'a secret for benchmarks and for nothing else';
const START_WITHIN_MS = 30_000;
/** The program that `npm start` runs. */
const PROGRAM = fileURLToPath(new URL('../../bundle/main.js', import.meta.url));

/** The real program in a process of its own, with a data folder of its own. */
export interface ExchangeProcess {
  readonly pid: number;
  readonly port: number;
  readonly edgePort: number;
  readonly edgeUrl: string;
  readonly opsPort: number;
  /** A live API key of the first account. */
  readonly apiKey: string;
  /** From the start of the process until it was ready, ms. */
  readonly startMs: number;
  /** Calls the management API; the call must succeed. */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  stop(): Promise<void>;
}

/** Prepares the data before the program starts, with the environment of the program. */
export type Prepare = (environment: Readonly<Record<string, string | undefined>>) => Promise<void>;

/**
 * Starts an exchange, which must be ready within `withinMs`. `main` is the program; this revision's when absent. Free
 * ports are chosen before the start; when another program takes one in between, others are tried.
 */
export async function startExchange(
  core: number,
  environment: Record<string, string>,
  prepare: Prepare = async () => {},
  main = PROGRAM,
  withinMs = START_WITHIN_MS,
): Promise<ExchangeProcess> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryToStart(core, environment, prepare, main, withinMs);
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

async function tryToStart(
  core: number,
  environment: Record<string, string>,
  prepare: Prepare,
  main: string,
  withinMs: number,
): Promise<ExchangeProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-exchange-'));
  const [port, edgePort, opsPort] = [await freePort(), await freePort(), await freePort()];
  const key = `pk_live_${randomUUID()}`;
  const [command, ...args] = onCore(core, [process.execPath, ...(await nodeOptions()), ...execArguments(), main]);
  const edgeUrl = `http://127.0.0.1:${edgePort}`;
  const { REDIS_URL: _redis, MONGODB_URL: _mongodb, ...inherited } = process.env;
  const env = {
    ...inherited,
    PORT: String(port),
    EDGE_PORT: String(edgePort),
    OPS_PORT: String(opsPort),
    PUBLIC_EDGE_URL: edgeUrl,
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    SECRET_KEY,
    BOOTSTRAP_API_KEY: key,
    ALLOW_PRIVATE_NETWORKS: 'true',
    // The load comes from one viewer, so the limits are raised: they still count it, and never refuse it.
    MAX_REQUESTS_PER_SECOND_PER_ADDRESS: '1000000',
    MAX_REQUESTS_PER_SECOND_PER_DEVICE: '1000000',
    ...environment,
  };
  await prepare(env).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const startedMs = performance.now();
  const child = track(spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env }));
  const stop = async () => {
    await endProcess(child, 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await ready(`http://127.0.0.1:${opsPort}/readyz`, () => child.exitCode === null, withinMs);
  } catch (error) {
    await stop();
    throw error;
  }
  const startMs = performance.now() - startedMs;
  return {
    pid: child.pid!,
    port,
    edgePort,
    edgeUrl,
    opsPort,
    apiKey: key,
    startMs,
    async call<T>(method: string, path: string, body?: object) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
    stop,
  };
}

async function ready(url: string, alive: () => boolean, withinMs: number): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (alive() && performance.now() < deadlineMs) {
    const response = await fetch(url).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the exchange did not start');
}

/** Finds a port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
