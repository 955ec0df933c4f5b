import { createServer, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { plainAddress } from '../../edge/addresses/plain-address.ts';
import { boundPipelining } from '../http/bound-pipelining.ts';
import { boundConnections } from '../http/connection-limits.ts';
import { endConnectionsAfterAnswers } from '../http/drain.ts';
import { HOST_REFUSED_BY_HANDLER, lacksHost, missingHost } from '../http/missing-host.ts';
import { presentedKey } from '../http/presented-key.ts';
import { proxyWatch } from '../http/proxy-watch.ts';
import { refuseUnreadableUrl } from '../http/unreadable-url.ts';
import { UnsentAnswers } from '../http/unsent-answers.ts';
import { Upgrades } from '../http/upgrades.ts';
import { MetricsPush } from '../live/metrics-push.ts';
import { metricsSocket } from '../live/metrics-socket.ts';
import { dashboardPages } from './dashboard/dashboard-pages.ts';
import type { ManagementDeps } from './deps.ts';
import { docsPages } from './docs/docs-pages.ts';
import { createIdentify } from './identity/identify.ts';
import { createLiveAuthorizer, endedCredentials } from './identity/live-authorizer.ts';
import { writeSessionCookie } from './identity/session-cookie.ts';
import { routes } from './routes.ts';
import { apiRouter, ownMethodsAlone } from './routing/api-router.ts';
import { logAccess } from './shell/access-log.ts';
import { answerErrors } from './shell/answer-errors.ts';
import { compression } from './shell/compression.ts';
import { crossOrigin } from './shell/cross-origin.ts';
import { limitRate } from './shell/limit-rate.ts';
import { observeAnswers } from './shell/observe-answers.ts';
import { refuseEmptyHeaders } from './shell/refuse-empty-headers.ts';
import { refuseMalformed } from './shell/refuse-malformed.ts';
import { securityHeaders } from './shell/security-headers.ts';

/** The bounds of one connection, so that slow or endless requests hold no more than this. */
const serverLimits: ServerOptions = {
  ...HOST_REFUSED_BY_HANDLER,
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // The timeout is longer than that of load balancers (60 s as a rule), so that the side that opened a connection also
  // closes it and no request is sent into a connection that is being closed.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};

export interface Management {
  /** Listens on `port` (0: any free port) and resolves with the port once connections are accepted. */
  listen(port: number, host?: string): Promise<number>;
  /** Goes on serving, but closes each connection with its next answer. */
  drain(): void;
  /** Accepts no more requests and resolves when the requests under way are answered, or cut short after 10 s. */
  close(): Promise<void>;
}

const graceMs = 10_000;

/** Creates the server of the REST API on {base_url}. */
export function createManagement(deps: ManagementDeps): Management {
  const { settings } = deps;
  // Koa takes the caller's address that the outermost of the exchange's own proxies saw.
  const app = new Koa({ proxy: settings.trustProxyHops > 0, maxIpsCount: settings.trustProxyHops });
  let server: Server | null = null;
  const rate = limitRate(deps);
  const identify = createIdentify(deps);
  const upgrades = new Upgrades();
  const push = new MetricsPush({
    figures: deps.live,
    clock: deps.clock,
    logger: deps.logger,
    settings: settings.live,
    ended: (credentials) => endedCredentials(credentials, deps),
  });

  app.use(async (ctx, next) => {
    ctx.request.ip = plainAddress(ctx.ip);
    await next();
    // A connection that stays open would delay the closing.
    if (server === null) ctx.set('Connection', 'close');
  });
  if (deps.answered !== undefined) app.use(observeAnswers(deps.answered, deps.clock));
  app.use(answerErrors(deps));
  if (settings.accessLog) app.use(logAccess(deps));
  const watchProxies = proxyWatch({
    server: 'management',
    publicUrl: settings.publicBaseUrl,
    trustProxyHops: settings.trustProxyHops,
    clock: deps.clock,
    logger: deps.logger,
  });
  app.use((ctx, next) => {
    watchProxies({ address: ctx.ip, forwardedFor: ctx.req.headers['x-forwarded-for'] as string | undefined });
    return next();
  });
  app.use(securityHeaders(settings));
  app.use(dashboardPages({ settings, logger: deps.logger }));
  app.use(rate.outer);
  app.use(refuseUnreadableUrl);
  app.use((ctx, next) => {
    if (lacksHost(ctx.req)) throw missingHost();
    return next();
  });
  app.use(crossOrigin(settings));
  app.use(async (ctx, next) => {
    const { method, query } = ctx;
    const identity = await identify({
      method,
      header: (name) => ctx.get(name),
      key: presentedKey(ctx.req.headers) ?? '',
      sandboxParam: query.sandbox,
    });
    if ('renewedToken' in identity && identity.renewedToken !== null) {
      writeSessionCookie(ctx, identity.renewedToken, settings);
    }
    ctx.state.identity = identity;
    await next();
  });
  app.use(rate.inner);
  app.use(refuseEmptyHeaders);
  app.use(metricsSocket({ push, upgrades, authorize: createLiveAuthorizer(deps) }));

  app.use(compression());
  for (const router of [apiRouter(routes, deps), docsPages({ settings })]) {
    app.use(router.routes());
    // `allowedMethods` sets Allow, and answers 405, or 501 for a method that no route has.
    app.use(router.allowedMethods());
    app.use(ownMethodsAlone);
  }
  // Failures after the answer has begun.
  const unsent = new UnsentAnswers(deps);
  app.on('error', (err: unknown) => unsent.note(err));

  return {
    listen(port, host) {
      const handler = app.callback();
      const listening = createServer(serverLimits, boundPipelining(handler));
      boundConnections(listening, { ...settings.connections, trustProxyHops: settings.trustProxyHops }, deps.clock);
      refuseMalformed(listening, deps);
      upgrades.serve(listening, handler);
      push.start();
      server = listening;
      return new Promise((resolve, reject) => {
        listening.once('error', reject);
        listening.listen(port, host, () => {
          listening.off('error', reject);
          resolve((listening.address() as AddressInfo).port);
        });
      });
    },
    drain() {
      push.drain();
      if (server !== null) endConnectionsAfterAnswers(server);
    },
    async close() {
      const closing = server;
      server = null;
      unsent.close();
      if (closing === null) return;
      await push.close();
      await new Promise<void>((resolve) => {
        const cutShort = deps.clock.after(graceMs, () => closing.closeAllConnections());
        closing.close(() => {
          cutShort();
          resolve();
        });
        closing.closeIdleConnections();
      });
    },
  };
}
