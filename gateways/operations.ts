import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import type { Registry } from 'prom-client';

/** The parts that a process may serve without: an edge sells from its replica while log and store are away. */
const EXCLUDABLE = ['log', 'store'] as const;
export type Excludable = (typeof EXCLUDABLE)[number];

export interface OperationsOptions {
  /** Answers Prometheus text. */
  readonly registry: Pick<Registry, 'metrics' | 'contentType'>;
  /** Answers the names of the parts that are not ready, without those that are left out; none: the process is ready. */
  readonly unready: (leftOut: ReadonlySet<Excludable>) => Promise<readonly string[]>;
  /** Names the background work that slows some requests down. */
  readonly underWay?: () => readonly string[];
  /** The address to listen on. */
  readonly host: string;
}

export interface Operations {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts the operations port. It is separate from the public ports and has no authentication, so it must stay inside
 * the private network. Endpoints with data of the exchange (dead letters) are in the management API, behind an
 * operator's credentials.
 *
 * - `GET /livez`: 200 while the process answers.
 * - `GET /readyz`: 200 only when log, store and catalogue are ready, and the log of this process's region, where it has
 *   one, was not written off (`region`); 503 with the names of what is missing. `underWay`
 *   names background work such as the building of indexes; it is absent when there is none. `?exclude=log` asks whether
 *   the process serves without this part; it may be repeated. Load balancers ask so of edges. 400 for another name.
 * - `GET /metrics`: Prometheus text.
 */
export async function startOperations(port: number, options: OperationsOptions): Promise<Operations> {
  const router = new Router({ sensitive: true });
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'live' };
  });
  router.get('/readyz', async (ctx) => {
    const excluded = [ctx.query.exclude ?? []].flat();
    const unknown = excluded.find((name) => !isExcludable(name));
    if (unknown !== undefined) {
      ctx.status = 400;
      ctx.body = { status: `exclude: ${EXCLUDABLE.join(' or ')}, not ${unknown}` };
      return;
    }
    const leftOut = new Set(excluded.filter(isExcludable));
    const missing = await options.unready(leftOut).catch((error) => [String(error)]);
    ctx.status = missing.length === 0 ? 200 : 503;
    const underWay = options.underWay?.() ?? [];
    const status = missing.length === 0 ? 'ready' : 'unready';
    ctx.body = { status, missing, ...(underWay.length === 0 ? {} : { underWay }) };
  });
  router.get('/metrics', async (ctx) => {
    const text = await options.registry.metrics();
    ctx.type = options.registry.contentType;
    ctx.body = text;
  });
  const app = new Koa();
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      ctx.status = 503;
      ctx.body = { status: String(error) };
    }
  });
  app.use(router.routes());
  app.use(router.allowedMethods());
  const server = createServer(app.callback());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isExcludable(name: string): name is Excludable {
  return EXCLUDABLE.some((one) => one === name);
}
