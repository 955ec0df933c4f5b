import type { Context, Middleware } from 'koa';
import { WebSocketServer } from 'ws';
import { ApiError } from '../errors.ts';
import type { Upgrades } from '../http/upgrades.ts';
import type { LiveCredential } from './credential.ts';
import type { LiveScope } from './live-scope.ts';
import type { MetricsPush } from './metrics-push.ts';

/** Specification, "WebSocket". */
const METRICS_SOCKET_PATH = '/ws/metrics';

/** Nothing is expected of a client; what is larger ends the connection with 1009. */
const MAX_MESSAGE_BYTES = 1_024;
const KEY_FORM = /^[+/0-9A-Za-z]{22}==$/;
const VERSIONS: ReadonlySet<string> = new Set(['13', '8']);

export interface MetricsSocketOptions {
  readonly push: MetricsPush;
  readonly upgrades: Upgrades;
  /** Who asks, and whether he may. @throws ApiError */
  readonly authorize: (ctx: Context) => { readonly scope: LiveScope; readonly credential: LiveCredential };
}

/**
 * `GET /ws/metrics`: opens a WebSocket (RFC 6455), uncompressed, on which `metrics_update` comes every five seconds. What is
 * refused is refused before the upgrade, as any request is: 401, 403, 400 for what is no WebSocket, 429 for too many sockets of
 * one credential or account, 503 for too many of the process.
 */
export function metricsSocket({ push, upgrades, authorize: admitted }: MetricsSocketOptions): Middleware {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  return async (ctx, next) => {
    if (ctx.path !== METRICS_SOCKET_PATH) return next();
    if (ctx.method !== 'GET') {
      ctx.set('Allow', 'GET');
      throw new ApiError('METHOD_NOT_ALLOWED');
    }
    const { scope, credential } = admitted(ctx);
    const upgrade = upgrades.of(ctx.req);
    if (!upgrade || !isWebSocket(ctx)) throw new ApiError('INVALID_PARAMS', 'This is a WebSocket.', 'Upgrade');
    refuseOverLimit(push.limitReached(scope.accountId, credential));
    // Koa leaves the answer to us.
    ctx.respond = false;
    ctx.status = 101;
    upgrade.take();
    server.handleUpgrade(ctx.req, upgrade.socket, upgrade.head, (socket) => push.add(socket, scope, credential));
  };
}

/** What `handleUpgrade` would refuse, and would not say in our words. */
function isWebSocket(ctx: Context): boolean {
  return (
    ctx.get('Upgrade').toLowerCase() === 'websocket' &&
    KEY_FORM.test(ctx.get('Sec-WebSocket-Key')) &&
    VERSIONS.has(ctx.get('Sec-WebSocket-Version'))
  );
}

function refuseOverLimit(full: ReturnType<MetricsPush['limitReached']>): void {
  if (full === null) return;
  if (full === 'credential') throw new ApiError('RATE_LIMITED', 'Too many WebSockets are open with these credentials.');
  if (full === 'account') throw new ApiError('RATE_LIMITED', 'Too many WebSockets of this account are open.');
  throw new ApiError('SERVICE_UNAVAILABLE', 'No further WebSocket can be opened here.');
}
