import type { IncomingMessage } from 'node:http';

/** Who calls for an impression: what a verdict on the call may be found by. None of it is stored with the impression. */
export interface ImpressionCaller {
  /** Of the caller, as the socket or the outermost of our own proxies saw it; '' when that is not known. */
  readonly address: string;
  /** `User-Agent`; '' when there is none. */
  readonly userAgent: string;
  /** `X-Device-IP`: the viewer's address, as a server that calls on a device's behalf forwards it (VAST 4.2 §1.7); null when none is. */
  readonly deviceAddress: string | null;
  /** `X-Device-User-Agent`: the viewer's user agent, forwarded alike. */
  readonly deviceUserAgent: string | null;
  /** Another header of the call, by its name in lower case; null when it is not there. */
  header(name: string): string | null;
}

/** Nothing is read before a verdict asks for it: most calls have none to be found. */
class RequestCaller implements ImpressionCaller {
  readonly #request: IncomingMessage;
  readonly #trustProxyHops: number;

  constructor(request: IncomingMessage, trustProxyHops: number) {
    this.#request = request;
    this.#trustProxyHops = trustProxyHops;
  }

  /** As Koa's `ctx.ip` with `maxIpsCount`: the last hops of `X-Forwarded-For` are our own proxies', the first of these saw the caller. */
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
    return this.header('x-device-ip');
  }

  get deviceUserAgent(): string | null {
    return this.header('x-device-user-agent');
  }

  header(name: string): string | null {
    const value = this.#request.headers[name];
    return typeof value === 'string' ? value : null;
  }
}

/** @param trustProxyHops how many of our own proxies stand before this server */
export function callerOf(request: IncomingMessage, trustProxyHops: number): ImpressionCaller {
  return new RequestCaller(request, trustProxyHops);
}
