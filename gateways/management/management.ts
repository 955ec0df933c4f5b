import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import { ApiError } from '../errors.ts';
import { answerError, apiErrorOf } from '../http/answer-error.ts';
import { requestIdOf } from '../http/request-id.ts';
import { identify } from './identity/identify.ts';
import type { ManagementParts } from './parts.ts';
import { routes } from './routes.ts';
import { serveRoute } from './routing/serve-route.ts';

export interface Management {
  /** Serves on `port` (0: any free one) and resolves with the port once connections are accepted. */
  listen(port: number, host?: string): Promise<number>;
  /** Takes no more requests and resolves when those under way are answered, or cut short after ten seconds. */
  close(): Promise<void>;
}

const graceMs = 10_000;

/** The REST API on {base_url}. */
export function createManagement(parts: ManagementParts): Management {
  const app = new Koa();
  let server: Server | null = null;
  app.use(async (ctx, next) => {
    const requestId = requestIdOf(ctx, parts.random);
    ctx.set('X-Request-Id', requestId);
    try {
      await next();
      if (ctx.body === undefined && ctx.status >= 404) {
        throw new ApiError(ctx.status === 404 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED');
      }
    } catch (thrown) {
      const error = apiErrorOf(thrown);
      if (error.code === 'INTERNAL_ERROR' || error.code === 'SERVICE_UNAVAILABLE') {
        parts.logger.error({ err: thrown, requestId, method: ctx.method, path: ctx.path }, 'a request failed');
      } else {
        const { method, path } = ctx;
        const fields = { code: error.code, reason: error.message, requestId, method, path };
        parts.logger.debug(fields, 'a request was refused');
      }
      answerError(ctx, error, requestId);
    }
    // A connection that is kept open would hold up the closing.
    if (server === null) ctx.set('Connection', 'close');
  });

  app.use(async (ctx, next) => {
    ctx.state.identity = await identify(ctx, parts);
    await next();
  });

  const router = new Router();
  for (const route of routes) router.register(route.path, [route.method], serveRoute(route, parts));
  app.use(router.routes());
  // Sets Allow, and 405, or 501 for a method that no route has.
  app.use(router.allowedMethods());
  // What fails after the answer has begun, a caller that went away as a rule, is no error of ours.
  app.on('error', (err: unknown) => parts.logger.warn({ err }, 'an answer was cut short'));

  return {
    listen(port, host) {
      const listening = createServer(app.callback());
      server = listening;
      return new Promise((resolve, reject) => {
        listening.once('error', reject);
        listening.listen(port, host, () => {
          listening.off('error', reject);
          resolve((listening.address() as AddressInfo).port);
        });
      });
    },
    close() {
      const closing = server;
      server = null;
      if (closing === null) return Promise.resolve();
      return new Promise((resolve) => {
        const cutShort = parts.clock.after(graceMs, () => closing.closeAllConnections());
        closing.close(() => {
          cutShort();
          resolve();
        });
        closing.closeIdleConnections();
      });
    },
  };
}
