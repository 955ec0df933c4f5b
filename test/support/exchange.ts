import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from 'mocha';
import { pino } from 'pino';
import { account } from '../../actors/account/account.ts';
import { type Exchange, startExchange } from '../../composition/start-exchange.ts';
import { firstAccountId } from '../../gateways/management/bootstrap/first-account.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { readSettings } from '../../settings.ts';
import { BROWSER_USER_AGENT } from './browser.ts';
import { freePort } from './free-port.ts';
import { mongodbUrl, redisUrl } from './real-servers.ts';

export type ProviderPair = 'embedded' | 'redis-mongodb';

/** Both provider pairs, for suites that run on each. */
export const PROVIDER_PAIRS: readonly ProviderPair[] = ['embedded', 'redis-mongodb'];

/** A whole exchange in this process, with data, keys and ports of its own. */
export interface TestExchange {
  readonly exchange: Exchange;
  /** The {base_url} of the specification, without a slash at the end. `edgeUrl` is its {rtb_url}. */
  readonly baseUrl: string;
  readonly edgeUrl: string;
  readonly opsUrl: string;
  readonly liveKey: string;
  readonly sandboxKey: string;
  /** The first user, an operator. */
  readonly admin: { readonly email: string; readonly password: string };
  /** The environment of the exchange, with which a test can start another process on the same data. */
  readonly environment: Readonly<Record<string, string>>;
  /** Calls the management API with the live key; `body` is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Logs in and answers the cookie of the new session: of the first user, unless `as` names another. */
  logIn(as?: { readonly email: string; readonly password: string }): Promise<string>;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came
  readonly body: any;
}

/** A rate limit in requests per minute that no test reaches by accident. */
const UNHURRIED = 1_000_000;

export async function startTestExchange(
  test: Context,
  pair: ProviderPair,
  environment: Record<string, string> = {},
  edgeClock: Clock = systemClock,
): Promise<TestExchange> {
  const folder = await mkdtemp(join(tmpdir(), 'exchange-test-'));
  const [port, edgePort, opsPort] = [await freePort(), await freePort(), await freePort()];
  const liveKey = `pk_live_${randomUUID()}`;
  const sandboxKey = `pk_sandbox_${randomUUID()}`;
  const admin = { email: 'admin@exchange.test', password: randomUUID() };
  const fullEnvironment: Record<string, string> = {
    PORT: String(port),
    EDGE_PORT: String(edgePort),
    OPS_PORT: String(opsPort),
    PUBLIC_EDGE_URL: `http://127.0.0.1:${edgePort}`,
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    PARTITIONS: '8',
    ALLOW_PRIVATE_NETWORKS: 'true',
    // Creatives come from loopback, which has no certificates.
    HTTPS_CREATIVES_ONLY: 'false',
    ANONYMOUS_REQUESTS_PER_MINUTE: String(UNHURRIED),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    BOOTSTRAP_API_KEY: liveKey,
    BOOTSTRAP_SANDBOX_API_KEY: sandboxKey,
    ...(pair === 'redis-mongodb' ? realProviders(test) : {}),
    ...environment,
  };
  const settings = readSettings(fullEnvironment);
  const exchange = await startExchange(settings, pino({ level: settings.logLevel }), null, edgeClock);
  const rate = { tier: 'enterprise', requestsPerMinute: UNHURRIED } as const;
  await exchange.node.messenger.ask(account, firstAccountId, 'update', rate);
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    exchange,
    baseUrl,
    edgeUrl: `http://127.0.0.1:${edgePort}`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    liveKey,
    sandboxKey,
    admin,
    environment: fullEnvironment,
    call: (method, path, body, headers = {}) =>
      callJson(method, `${baseUrl}${path}`, body, { 'X-API-Key': liveKey, ...headers }),
    async logIn(as = admin) {
      const answer = await callJson('POST', `${baseUrl}/api/auth/login`, as);
      const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0];
      if (cookie === undefined) throw new Error(`logging in was answered ${answer.status}`);
      return cookie;
    },
    async stop() {
      await exchange.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** REDIS_URL and MONGODB_URL, with a key prefix and a database that no other test uses. */
export function realProviders(test: Context): Record<string, string> {
  const mongodb = new URL(mongodbUrl(test));
  mongodb.pathname = `/exchange_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  return {
    REDIS_URL: redisUrl(test),
    REDIS_PREFIX: `test-${randomUUID()}`,
    MONGODB_URL: mongodb.href,
    SECRET_KEY: randomUUID(),
    MONGODB_WRITE_BATCH: process.env.MONGODB_WRITE_BATCH ?? '1000',
  };
}

export async function callJson(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Answer> {
  const init: RequestInit = { method, signal, headers: { 'User-Agent': BROWSER_USER_AGENT, ...headers } };
  if (body !== undefined) {
    init.body = typeof body === 'string' ? body : JSON.stringify(body);
    init.headers = { 'User-Agent': BROWSER_USER_AGENT, 'Content-Type': 'application/json', ...headers };
  }
  const response = await fetch(url, init);
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: json && text !== '' ? JSON.parse(text) : text };
}
