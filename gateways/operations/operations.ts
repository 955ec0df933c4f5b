import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import type { Registry } from 'prom-client';
import type { DeadLetterBox } from '../dead-letter-box.ts';

const MOST_LETTERS = 200;

const REPLAY_ANSWERS = {
  replayed: [202, 'sent again'],
  discarded: [409, 'it was discarded'],
  unreadable: [409, 'it cannot be read'],
  absent: [404, 'no such letter'],
} as const;

export interface OperationsOptions {
  readonly registry: Registry;
  /** Names of what is not ready yet; ready when empty. */
  readonly unready: () => Promise<readonly string[]>;
  readonly deadLetters: Omit<DeadLetterBox, 'discard'>;
  readonly host?: string;
}

export interface Operations {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * The operations port, apart from the public ones and without authentication: keep it inside.
 *
 * - `GET /livez`: 200 while the process answers.
 * - `GET /readyz`: 200 only when log, store and catalogue are ready; 503 with the names of what is missing.
 * - `GET /metrics`: Prometheus text.
 * - `GET /dead-letters?limit=&after=`: `{letters, next}`; `next` is null on the last page.
 * - `POST /dead-letters/{id}/replay`: 202; 404 when there is no such letter, 409 when it was discarded or cannot be read.
 */
export async function openOperations(port: number, options: OperationsOptions): Promise<Operations> {
  const router = new Router();
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'live' };
  });
  router.get('/readyz', async (ctx) => {
    const missing = await options.unready().catch((error) => [String(error)]);
    ctx.status = missing.length === 0 ? 200 : 503;
    ctx.body = { status: missing.length === 0 ? 'ready' : 'unready', missing };
  });
  router.get('/metrics', async (ctx) => {
    const text = await options.registry.metrics();
    ctx.type = options.registry.contentType;
    ctx.body = text;
  });
  router.get('/dead-letters', async (ctx) => {
    const limit = Number(ctx.query.limit ?? 50);
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LETTERS) {
      ctx.status = 400;
      ctx.body = { status: `limit must be a whole number from 1 to ${MOST_LETTERS}` };
      return;
    }
    const { after } = ctx.query;
    const page = typeof after === 'string' ? { limit, after } : { limit };
    const letters = await options.deadLetters.list(page);
    ctx.body = { letters, next: letters.length === limit ? letters[letters.length - 1]!.id : null };
  });
  router.post('/dead-letters/:id/replay', async (ctx) => {
    const [status, words] = REPLAY_ANSWERS[await options.deadLetters.replay(ctx.params.id!)];
    ctx.status = status;
    ctx.body = { status: words };
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
