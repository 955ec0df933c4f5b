import { LinkedList } from '#async/linked-list';
import type { Clock } from '#runtime/ports/clock';
import type { Channel, ChannelPool, ConnectionOptions } from './channel.ts';
import { SocketChannel, type SocketChannelHome, type SocketEndpoint } from './socket-channel.ts';

/** A request must not meet the bidder's own end of an idle connection: ours comes this many ms before it. */
const KEEP_ALIVE_MARGIN_MS = 1_000;
const MAX_KEEP_ALIVE_MS = 600_000;
/** A request that is not written this many ms after its connection was taken will not be. */
const WRITTEN_WITHIN_MS = 1_000;

/**
 * The kept-alive connections to one bidder, one call at a time on each. Callers bound the number of calls, and so that
 * of connections, but for those over TLS whose last write is not known to have ended. The one used last is used next,
 * so that those not needed are closed.
 */
export class SocketChannels implements ChannelPool, SocketChannelHome {
  readonly #endpoint: SocketEndpoint;
  readonly #keepAliveMs: number;
  readonly #clock: Clock;
  readonly #open = new LinkedList<SocketChannel>();
  readonly #idle: SocketChannel[] = [];
  #cancelSweep: (() => void) | null = null;
  #closing = false;

  /** `headers`: name, value, name, value … of each request, without host and content-length. */
  constructor(url: URL, headers: readonly string[], options: ConnectionOptions, clock: Clock) {
    const { policy, connectTimeoutMs, secureContext = null } = options;
    this.#endpoint = { url, head: headOf(url, headers), policy, connectTimeoutMs, secureContext, session: null };
    this.#keepAliveMs = options.keepAliveMs;
    this.#clock = clock;
  }

  take(nowMs: number): Channel {
    for (let at = this.#idle.length - 1; at >= 0; at--) {
      const channel = this.#idle[at]!;
      if (nowMs - channel.usedMs >= channel.keepAliveMs) {
        channel.destroy();
        continue;
      }
      if (channel.hasUnsent) {
        // Over TLS a write is known to have ended a turn later, which may be after its answer has come.
        if (channel.isPlain || nowMs - channel.usedMs > WRITTEN_WITHIN_MS) channel.destroy();
        continue;
      }
      this.#idle.splice(at, 1);
      channel.usedMs = nowMs;
      return channel;
    }
    const channel = new SocketChannel(this.#endpoint, this);
    channel.usedMs = nowMs;
    this.#open.add(channel);
    return channel;
  }

  idle(channel: SocketChannel, keepAliveSeconds: number | null): void {
    channel.keepAliveMs =
      keepAliveSeconds === null
        ? this.#keepAliveMs
        : Math.min(keepAliveSeconds * 1_000 - KEEP_ALIVE_MARGIN_MS, MAX_KEEP_ALIVE_MS);
    if (this.#closing || channel.keepAliveMs <= 0) {
      channel.destroy();
      return;
    }
    this.#idle.push(channel);
    this.#cancelSweep ??= this.#clock.after(this.#keepAliveMs, () => this.#sweep());
  }

  closed(channel: SocketChannel): void {
    this.#open.delete(channel);
    const at = this.#idle.lastIndexOf(channel);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  close(): void {
    this.#closing = true;
    for (const channel of [...this.#idle]) channel.destroy();
    this.#stopSweep();
  }

  destroy(): void {
    this.#closing = true;
    for (let channel = this.#open.first; channel !== null; channel = this.#open.first) channel.destroy();
    this.#stopSweep();
  }

  /** Closes what has been idle for too long. */
  #sweep(): void {
    this.#cancelSweep = null;
    const nowMs = this.#clock.monotonic();
    for (const channel of this.#idle.filter(({ usedMs, keepAliveMs }) => nowMs - usedMs >= keepAliveMs))
      channel.destroy();
    if (this.#idle.length > 0) this.#cancelSweep = this.#clock.after(this.#keepAliveMs, () => this.#sweep());
  }

  #stopSweep(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = null;
  }
}

/** The head of each request up to the number of its content-length. */
function headOf(url: URL, headers: readonly string[]): Buffer {
  const lines = [`POST ${url.pathname}${url.search} HTTP/1.1`, `host: ${url.host}`, 'connection: keep-alive'];
  for (let index = 0; index + 1 < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  return Buffer.from(`${lines.join('\r\n')}\r\ncontent-length: `, 'latin1');
}
