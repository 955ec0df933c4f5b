import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa, { type Context, type Middleware, type Next } from 'koa';
import { onceTurnIsWritten, writeNow } from '../../async/turn-end.ts';
import { plainAddress } from '../../edge/addresses/plain-address.ts';
import { Auctioneer } from '../../edge/auction/auctioneer.ts';
import { TracedAuctions } from '../../edge/auction/traced-auctions.ts';
import { TrackingMint } from '../../edge/tracking/mint.ts';
import { VIEW_PATH } from '../../edge/tracking/view-event.ts';
import { withSandboxMedia } from '../creatives/storage/with-sandbox-media.ts';
import { ApiError } from '../errors.ts';
import { boundPipelining } from '../http/bound-pipelining.ts';
import { boundConnections } from '../http/connection-limits.ts';
import { endConnectionsAfterAnswers } from '../http/drain.ts';
import { giveUpConnections, openConnections } from '../http/give-up-connections.ts';
import { HOST_REFUSED_BY_HANDLER, lacksHost, missingHost } from '../http/missing-host.ts';
import { proxyWatch } from '../http/proxy-watch.ts';
import { PING_PATH } from '../http/region-list.ts';
import { requestIdOf } from '../http/request-id.ts';
import { readablePath, refuseUnreadableUrl } from '../http/unreadable-url.ts';
import { UnsentAnswers } from '../http/unsent-answers.ts';
import { serveCreative } from './creatives/serve-creative.ts';
import type { EdgeDeps } from './deps.ts';
import { adEndpointOf } from './http/ad-request-observer.ts';
import { answerJson } from './http/answer.ts';
import { AuctionAdmission } from './http/auction-admission.ts';
import { RequestBodyReader } from './http/body-reads.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { answerErrors } from './http/errors-answered.ts';
import { LoadShedder } from './http/shed-overload.ts';
import { BidRequestEndpoint } from './openrtb/bid-request-endpoint.ts';
import { CallerAuthenticator } from './openrtb/callers.ts';
import { LazyPrebidServer } from './prebid-server/lazy-prebid-server.ts';
import { answerPing, answerRegions } from './regions/region-endpoints.ts';
import { SyncEndpoint } from './sync/sync-endpoint.ts';
import { TAG_HEADERS } from './tags/answer-tag.ts';
import { NO_FILL_HEADERS } from './tags/no-fill.ts';
import { TagEndpoint } from './tags/tag-endpoint.ts';
import { tagScript } from './tags/tag-script.ts';
import { callerTimeoutHandler } from './tracking/caller-timeout-handler.ts';

const SERVER_OPTIONS: ServerOptions = {
  ...HOST_REFUSED_BY_HANDLER,
  // Time limits of a request's head. Bodies of bid requests have a limit of their own; no other body is read.
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  // Longer than load balancers keep their connections, so that the balancers close them first.
  keepAliveTimeout: 65_000,
};

/** ms after the last auction at which connections that still send or receive are closed. */
const CLOSE_GRACE_MS = 5_000;

/** One request of this many is checked for whether TRUST_PROXY_HOPS is right. */
const LOOK_AT_ONE_OF = 16;

/** The version of answers to bid requests (specification, Endpoints on {rtb_url}). */
const OPENRTB_VERSION = ['X-OpenRTB-Version', '2.6'] as const;

/** The server of {rtb_url}: auctions, tags, the JS tag and tracking. */
export interface Edge {
  readonly handler: RequestListener;
  /** Ad requests refused so far because more came than this process can serve. */
  readonly shedRequests: number;
  /** Auctions under way. */
  readonly auctionsInFlight: number;
  /** Requests of all kinds that have come so far. */
  readonly requests: number;
  /** Starts to serve; resolves with the port. Port 0 means any free port. */
  listen(port: number, host?: string): Promise<number>;
  /** Resolves with the number of connections that are open. */
  connections(): Promise<number>;
  /** Has other edges that share the port take over all connections but about `kept`; no request fails by that. */
  keepConnections(kept: number): Promise<void>;
  /** Continues to serve, but closes each connection with its next answer. */
  drain(): void;
  /** Refuses new requests, finishes those under way, then closes all connections. The collaborators stay open. */
  close(): Promise<void>;
}

export function createEdge(deps: EdgeDeps): Edge {
  const { settings, logger, adRequests, clock } = deps;
  const unsent = new UnsentAnswers(deps);
  const mint = new TrackingMint(settings);
  const untraced = new Auctioneer(deps, mint);
  const auctioneer = deps.tracer ? new TracedAuctions(untraced, deps.tracer) : untraced;
  const bodies = new RequestBodyReader(settings.bodies, settings.maxBodyBytes, clock);
  const callers = new CallerAuthenticator(deps.replica, clock);
  const bidRequests = new BidRequestEndpoint(deps, auctioneer, callers, mint, bodies);
  const tags = new TagEndpoint(deps, auctioneer, callers);
  const sync = new SyncEndpoint(deps, deps.viewers);
  const auctions = new AuctionAdmission(settings.maxAuctionsInFlight);
  const shedder = new LoadShedder(clock, deps.random, ({ url = '' }) => {
    const endpoint = adEndpointOf(url.split('?', 1)[0]!);
    if (endpoint !== null) adRequests?.answered(endpoint, 503, null);
  });
  let closing = false;

  /**
   * Sheds load early and cheaply: the whole body of a refused request has arrived, but nothing of it has been parsed.
   */
  const auctioned = async (ctx: Context, bodyBytes: number, answer: () => Promise<void>): Promise<void> => {
    if (deps.isClosed?.()) throw new ApiError('SERVICE_UNAVAILABLE', 'This edge sells nothing now.');
    if (!auctions.enter(bodyBytes)) throw new ApiError('SERVICE_UNAVAILABLE', 'Too many auctions are under way.');
    try {
      await answer();
    } finally {
      endConnectionIfClosing(ctx);
      auctions.leave(bodyBytes);
    }
  };
  const endConnectionIfClosing = (ctx: Context): void => {
    if (closing) ctx.set('Connection', 'close');
  };
  const answerBidRequest = async (ctx: Context): Promise<void> => {
    const received = await bidRequests.receive(ctx);
    await auctioned(ctx, received.body.length, async () => {
      const response = await bidRequests.respond(received);
      endConnectionIfClosing(ctx);
      answerJson(ctx, OPENRTB_VERSION, response, settings.gzipFromBytes);
    });
  };

  const forScripts = crossOrigin([...Object.values(TAG_HEADERS), ...Object.values(NO_FILL_HEADERS)]);
  // Middleware of a route applies to exactly that route: a path in another case is not the route.
  const router = new Router({ sensitive: true });
  /** Pages of other origins may call the path, so it also takes OPTIONS for preflights. */
  const forPages = (path: string, methods: readonly string[], ...handlers: Middleware[]) =>
    router.register(path, [...methods, 'OPTIONS'], [forScripts, refuseNonPreflightOptions(methods), ...handlers]);
  const refuseShed: Middleware = (ctx, next) => {
    shedder.check(ctx.req);
    return next();
  };
  forPages('/vast', ['GET'], onlyGet, refuseShed, (ctx) => auctioned(ctx, 0, () => tags.answerVast(ctx)));
  forPages('/ad', ['GET'], onlyGet, refuseShed, (ctx) => auctioned(ctx, 0, () => tags.answerAd(ctx)));
  router.all('/sync', (ctx) => sync.answer(ctx));
  router.all('/sync/set', (ctx) => sync.set(ctx));
  router.all('/sync/optout', (ctx) => sync.optOut(ctx));
  const prebid = new LazyPrebidServer({ deps, auctioneer, callers, mint, bodies, sync, auctioned });
  const prebidAuction = prebid.serving((server, ctx) => server.answerAuction(ctx));
  const prebidAmp = prebid.serving((server, ctx) => server.answerAmp(ctx));
  const prebidSetUid = prebid.serving((server, ctx) => server.setUid(ctx));
  const prebidStatus = prebid.serving((server, ctx) => server.answerStatus(ctx));
  const prebidBidder = prebid.serving((server, ctx) => server.describeBidder(ctx, ctx.params.name));
  forPages('/openrtb2/auction', ['POST'], refuseShed, prebidAuction);
  forPages('/openrtb2/amp', ['GET'], onlyGet, refuseShed, prebidAmp);
  forPages(
    '/cookie_sync',
    ['POST'],
    refuseShed,
    prebid.serving((server, ctx) => server.answerCookieSync(ctx)),
  );
  forPages(
    '/cache',
    ['GET'],
    prebid.serving((server, ctx) => server.answerCached(ctx)),
  );
  router.get('/setuid', prebidSetUid);
  router.get('/status', prebidStatus);
  router.get(
    '/info/bidders',
    prebid.serving((server, ctx) => server.listBidders(ctx)),
  );
  router.get('/info/bidders/:name', prebidBidder);
  forPages('/track/impression', ['GET'], deps.tracking.impression);
  forPages('/track/win', ['GET'], deps.tracking.win);
  forPages(VIEW_PATH, ['GET', 'POST'], deps.tracking.view);
  forPages('/track/timeout', ['POST'], callerTimeoutHandler(deps));
  router.get('/tag.js', tagScript(settings.regionUrls));
  router.get(PING_PATH, answerPing);
  router.get('/api/regions', answerRegions(settings));
  router.get('/creative/:sha256', serveCreative(withSandboxMedia(deps.creatives), logger, clock));

  // The address of a tag's viewer is the one that the outermost of the exchange's own proxies saw.
  const app = new Koa({ proxy: settings.trustProxyHops > 0, maxIpsCount: settings.trustProxyHops });
  const watchProxies = proxyWatch({
    server: 'edge',
    publicUrl: settings.publicEdgeUrl,
    trustProxyHops: settings.trustProxyHops,
    clock: clock,
    logger,
  });
  /** What the bid requests failed with that are answered beside Koa, which writes errors for all. */
  const failures = new WeakMap<IncomingMessage, { readonly error: unknown; readonly startedMs: number }>();
  let requests = 0;
  const watch = (ctx: Context): void => {
    requests = (requests + 1) % LOOK_AT_ONE_OF;
    if (requests === 0) {
      watchProxies({
        address: plainAddress(ctx.ip),
        forwardedFor: ctx.req.headers['x-forwarded-for'] as string | undefined,
      });
    }
  };
  app.use((ctx: Context, next: Next) => {
    if (!failures.has(ctx.req)) watch(ctx);
    return next();
  });
  if (adRequests !== undefined) {
    app.use(async (ctx: Context, next: Next) => {
      const path = readablePath(ctx);
      const endpoint = path === null || ctx.method === 'OPTIONS' ? null : adEndpointOf(path);
      if (endpoint === null) return next();
      const startedMs = failures.get(ctx.req)?.startedMs ?? clock.monotonic();
      await next();
      adRequests.answered(endpoint, ctx.status, clock.monotonic() - startedMs);
    });
  }
  app.use(answerErrors(deps.random, logger));
  app.use(refuseUnreadableUrl);
  app.use((ctx: Context, next: Next) => {
    if (lacksHost(ctx.req)) throw missingHost();
    // The busiest paths bypass the router, which costs more than all of their own HTTP handling.
    if (ctx.path === '/track/impression' && ctx.method === 'GET') {
      return forScripts(ctx, () => deps.tracking.impression(ctx, next));
    }
    if (ctx.path !== '/rtb' && ctx.path !== '/') return next();
    return forScripts(ctx, async () => {
      const failure = failures.get(ctx.req);
      if (failure !== undefined) throw failure.error;
      shedder.check(ctx.req);
      if (ctx.method === 'POST') return answerBidRequest(ctx);
      ctx.set('Allow', 'POST');
      throw new ApiError('METHOD_NOT_ALLOWED');
    });
  });
  app.use(router.routes());
  app.use((ctx: Context) => {
    const { path: routes } = router.match(ctx.path, ctx.method);
    if (routes.length === 0) throw new ApiError('NOT_FOUND', 'There is nothing here.');
    ctx.set(
      'Allow',
      routes.flatMap(({ methods }) => methods.filter((method) => method !== 'HEAD' && method !== 'OPTIONS')).join(', '),
    );
    throw new ApiError('METHOD_NOT_ALLOWED');
  });
  // Errors in middleware are answered and logged above.
  app.on('error', (err: unknown) => unsent.note(err));

  const throughKoa = app.callback();
  /**
   * Bid requests of servers, nearly all of the edge's calls, skip the middleware, which does nothing for them: what it
   * costs is a tenth of an auction of delegates. Requests of pages, other methods and all errors go through it.
   */
  const besideKoa: RequestListener = (request, response) => {
    const { url, method, headers } = request;
    if (method !== 'POST' || (url !== '/rtb' && url !== '/') || headers.origin !== undefined) {
      void throughKoa(request, response);
      return;
    }
    const startedMs = clock.monotonic();
    answerPlainly(request, response, startedMs).catch((error: unknown) => {
      failures.set(request, { error, startedMs });
      void throughKoa(request, response);
    });
  };
  const answerPlainly = async (
    request: IncomingMessage,
    response: ServerResponse,
    startedMs: number,
  ): Promise<void> => {
    const ctx = app.createContext(request, response);
    watch(ctx);
    ctx.state.requestId = requestIdOf(request, deps.random);
    await answerBidRequest(ctx);
    onceTurnIsWritten(() => adRequests?.answered('rtb', response.statusCode, clock.monotonic() - startedMs));
  };
  const withHost = shedder.before(deps.tracking.pixelOutsideKoa?.(besideKoa) ?? besideKoa);
  const handler: RequestListener = (request, response) => {
    if (lacksHost(request)) void throughKoa(request, response);
    else withHost(request, response);
  };
  let server: Server | null = null;
  let endGivingUp = () => {};
  const connections = async () => (server === null ? 0 : openConnections(server));

  return {
    handler,
    get shedRequests() {
      return shedder.shed;
    },
    get auctionsInFlight() {
      return auctions.inFlight;
    },
    get requests() {
      return shedder.seen;
    },
    async listen(port, host) {
      const listening = createServer(SERVER_OPTIONS, boundPipelining(handler));
      boundConnections(listening, { ...settings.connections, trustProxyHops: settings.trustProxyHops }, clock);
      server = listening;
      await new Promise<void>((resolve, reject) => {
        listening.once('error', reject);
        listening.listen(port, host, resolve);
      });
      return (listening.address() as AddressInfo).port;
    },
    connections,
    async keepConnections(kept) {
      const open = await connections();
      if (server === null || closing) return;
      endGivingUp();
      endGivingUp = giveUpConnections(server, open, kept, clock);
    },
    drain() {
      if (server !== null) endConnectionsAfterAnswers(server);
    },
    async close() {
      closing = true;
      endGivingUp();
      // A connection whose answer waits for the end of the turn would count as busy, and stay open afterwards.
      writeNow();
      const ended = server === null ? undefined : new Promise((resolve) => server?.close(resolve));
      server?.closeIdleConnections();
      await auctions.whenEmpty();
      // The last answers have deferred work left: their facts and notices.
      await new Promise((resolve) => setImmediate(resolve));
      const cancel = clock.after(CLOSE_GRACE_MS, () => server?.closeAllConnections());
      await ended;
      cancel();
      bodies.close();
      callers.close();
      unsent.close();
    },
  };
}

/** Refuses an OPTIONS request that is no preflight: there is no other use for it here. */
function refuseNonPreflightOptions(methods: readonly string[]): Middleware {
  const allowed = methods.join(', ');
  return (ctx, next) => {
    if (ctx.method !== 'OPTIONS') return next();
    ctx.set('Allow', allowed);
    throw new ApiError('METHOD_NOT_ALLOWED');
  };
}

/**
 * Refuses HEAD, which a router serves with GET's handler: HEAD is safe (RFC 9110 §9.2.1), and an auction has effects.
 */
function onlyGet(ctx: Context, next: Next): Promise<void> {
  if (ctx.method === 'GET') return next();
  ctx.set('Allow', 'GET');
  throw new ApiError('METHOD_NOT_ALLOWED');
}
