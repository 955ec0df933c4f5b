import type { Context, Middleware } from 'koa';
import { WebSocketServer } from 'ws';
import { ApiError } from '../errors.ts';
import type { Upgrades } from '../http/upgrades.ts';
import type { LiveCredential } from './credential.ts';
import type { LiveScope } from './live-scope.ts';
import type { MetricsPush } from './metrics-push.ts';

/** The path of the WebSocket (specification, "WebSocket"). */
const METRICS_SOCKET_PATH = '/ws/metrics';

/** Clients need not send messages; a larger one ends the connection with 1009. */
const MAX_MESSAGE_BYTES = 1_024;
const KEY_FORM = /^[+/0-9A-Za-z]{22}==$/;
const VERSIONS: ReadonlySet<string> = new Set(['13', '8']);

export interface MetricsSocketOptions {
  readonly push: MetricsPush;
  readonly upgrades: Upgrades;
  /**
   * Identifies the caller and checks its permission.
   * @throws ApiError
   */
  readonly authorize: (ctx: Context) => { readonly scope: LiveScope; readonly credential: LiveCredential };
}

/**
 * `GET /ws/metrics`: opens a WebSocket (RFC 6455) without compression, on which `metrics_update` is sent every 5
 * seconds. Refusals come before the upgrade, as for any request: 401, 403, 400 for a request that is not a WebSocket,
 * 429 for too many sockets of one credential or account, 503 for too many sockets of the process.
 */
export function metricsSocket({ push, upgrades, authorize }: MetricsSocketOptions): Middleware {
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
    const { scope, credential } = authorize(ctx);
    const upgrade = upgrades.of(ctx.req);
    if (!upgrade || !isWebSocket(ctx)) throw new ApiError('INVALID_PARAMS', 'This is a WebSocket.', 'Upgrade');
    refuseOverLimit(push.limitReached(scope.accountId, credential));
    // With `respond = false` Koa does not write a response.
    ctx.respond = false;
    ctx.status = 101;
    upgrade.take();
    server.handleUpgrade(ctx.req, upgrade.socket, upgrade.head, (socket) => push.add(socket, scope, credential));
  };
}

/** Checks what `handleUpgrade` would check, so that a refusal has our error body. */
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
