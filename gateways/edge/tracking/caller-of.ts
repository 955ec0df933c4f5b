import type { IncomingMessage } from 'node:http';
import type { ImpressionCaller } from '#edge/impressions/impression-caller';

/** Reads nothing before a verdict asks for it: most calls have no forwarded headers. */
class RequestCaller implements ImpressionCaller {
  readonly #request: IncomingMessage;
  readonly #trustProxyHops: number;

  constructor(request: IncomingMessage, trustProxyHops: number) {
    this.#request = request;
    this.#trustProxyHops = trustProxyHops;
  }

  /**
   * As Koa's `ctx.ip` with `maxIpsCount`: the last hops of `X-Forwarded-For` were added by the exchange's own proxies,
   * the first of which saw the caller.
   */
  get address(): string {
    const direct = this.#request.socket?.remoteAddress ?? '';
    if (this.#trustProxyHops === 0) return direct;
    const hops = this.header('x-forwarded-for')?.split(',').slice(-this.#trustProxyHops);
    return hops?.[0]?.trim() || direct;
  }

  get userAgent(): string {
    return this.#request.headers['user-agent'] ?? '';
  }

  get deviceAddress(): string | null {
    return this.header('x-device-ip') || null;
  }

  get deviceUserAgent(): string | null {
    return this.header('x-device-user-agent') || null;
  }

  header(name: string): string | null {
    const value = this.#request.headers[name];
    return typeof value === 'string' ? value : null;
  }
}

/** @param trustProxyHops Number of the exchange's own proxies before this server. */
export function impressionCallerOf(request: IncomingMessage, trustProxyHops: number): ImpressionCaller {
  return new RequestCaller(request, trustProxyHops);
}
