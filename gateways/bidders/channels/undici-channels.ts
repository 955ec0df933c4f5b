import type { Client, Dispatcher } from 'undici';
import { guardedConnect } from '../../http/guarded-connect.ts';
import { undici } from '../../http/undici.ts';
import { connectionProblem } from '../tls/connection-problem.ts';
import {
  type Channel,
  type ChannelCall,
  type ChannelPool,
  type ConnectionOptions,
  type ContentCoding,
  withCoding,
} from './channel.ts';

class CallAbandoned extends Error {
  override readonly name = 'CallAbandoned';
}
/** One error for all calls: errors thrown into the client are never seen, and stack traces are expensive. */
const ABANDONED = new CallAbandoned('the auction is over');

/**
 * The channels to one bidder over undici's client, which speaks HTTP/2 too where the bidder offers it. One connection
 * at a time takes one call, and is opened again after each loss.
 */
export class UndiciChannels implements ChannelPool {
  readonly #url: URL;
  readonly #headers: string[];
  readonly #options: Client.Options;
  readonly #all: UndiciChannel[] = [];
  /** The connection used last is used next, so that unneeded ones reach their keep-alive limit. */
  readonly #idle: UndiciChannel[] = [];

  constructor(url: URL, headers: readonly string[], options: ConnectionOptions) {
    this.#url = url;
    this.#headers = [...headers];
    this.#options = {
      pipelining: 1,
      allowH2: true,
      keepAliveTimeout: options.keepAliveMs,
      connect: guardedConnect(options.policy, options.connectTimeoutMs, {
        allowH2: true,
        ...(options.secureContext && { secureContext: options.secureContext }),
      }),
      // The auction's own deadline ends a call; the client's timers per request would only cost time.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
  }

  take(): Channel {
    const idle = this.#idle.pop();
    if (idle) return idle;
    const { origin, pathname, search } = this.#url;
    const client = new (undici().Client)(origin, this.#options);
    const channel = new UndiciChannel(client, pathname + search, this.#headers, this);
    this.#all.push(channel);
    return channel;
  }

  release(channel: UndiciChannel, alive: boolean): void {
    if (alive) this.#idle.push(channel);
    // A closed connection goes behind the open ones: it would have to be made anew.
    else this.#idle.unshift(channel);
  }

  close(): void {
    for (const { client } of this.#all) client.close().catch(() => undefined);
  }

  destroy(): void {
    for (const { client } of this.#all) client.destroy().catch(() => undefined);
  }
}

class UndiciChannel implements Channel {
  readonly client: Client;
  readonly #path: string;
  readonly #headers: string[];
  readonly #home: UndiciChannels;
  #exchange: Exchange | null = null;

  constructor(client: Client, path: string, headers: string[], home: UndiciChannels) {
    this.client = client;
    this.#path = path;
    this.#headers = headers;
    this.#home = home;
  }

  send(call: ChannelCall, body: Buffer, traceparent?: string): void {
    this.#exchange = new Exchange(call, (alive) => this.#home.release(this, alive));
    const headers = traceparent === undefined ? this.#headers : [...this.#headers, 'traceparent', traceparent];
    this.client.dispatch({ path: this.#path, method: 'POST', headers, body }, this.#exchange);
  }

  abandon(): void {
    this.#exchange?.abandon();
  }
}

/**
 * One request and its answer as the client reports them, by its raw hooks: the newer controller interface parses each
 * answer's headers into an object and measurably costs more per call. No hook throws, except `onConnect` on purpose.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #call: ChannelCall;
  readonly #release: (alive: boolean) => void;
  #abort: ((error?: Error) => void) | null = null;
  #isOver = false;
  #isDropped = false;

  constructor(call: ChannelCall, release: (alive: boolean) => void) {
    this.#call = call;
    this.#release = release;
  }

  abandon(): void {
    if (!this.#end(false)) return;
    this.#abort?.(ABANDONED);
  }

  onConnect(abort: (error?: Error) => void): void {
    // An error thrown here drops this request only. `abort` would also close the connection that was just made, and a
    // bidder whose handshake takes longer than an auction would never get one.
    if (!this.#call.sending()) {
      this.#isDropped = true;
      throw ABANDONED;
    }
    this.#abort = abort;
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    if (status >= 200 && !this.#isOver) this.#call.head(status, codingIn(headers));
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (!this.#isOver && !this.#call.body(chunk, 0, chunk.length, false)) this.abandon();
    return true;
  }

  onComplete(): void {
    if (this.#end(true)) this.#call.complete();
  }

  onError(error: Error): void {
    if (!this.#end(this.#isDropped)) return;
    if (this.#isDropped) this.#call.dropped();
    else this.#call.failed(error.message, connectionProblem(error));
  }

  #end(alive: boolean): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#release(alive);
    return true;
  }
}

/** `headers`: name, value, name, value …, as received. */
function codingIn(headers: readonly Buffer[]): ContentCoding {
  let coding: ContentCoding = 'identity';
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index]!;
    if (name.length !== 16 || name.toString('latin1').toLowerCase() !== 'content-encoding') continue;
    coding = withCoding(coding, headers[index + 1]!.toString('latin1'));
  }
  return coding;
}
