import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Linked, LinkedList } from '../../async/linked-list.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { isPublicAddress } from './address-guard.ts';
import { networkOf } from './network-of.ts';

/** The limits of the connections of one server. */
export interface ConnectionLimits {
  /** Connections of one public address (IPv6: one /64, which is one customer's), idle ones included; 0: no limit. */
  readonly maxPerAddress: number;
  /** Connections of one private address or trusted proxy: a load balancer brings all callers; 0: no limit. */
  readonly maxPerInsideAddress: number;
  /** A caller that takes less than 4,096 bytes of its response within this time is disconnected. */
  readonly stalledMs: number;
  /**
   * Bytes of responses that callers have not taken yet. Beyond it, the callers without progress for longest are
   * disconnected.
   */
  readonly maxUntakenBytes: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  maxPerAddress: 1_000,
  maxPerInsideAddress: 0,
  stalledMs: 30_000,
  maxUntakenBytes: 64 * 1024 * 1024,
};

/** A caller must take at least this many bytes of its response within `stalledMs`. */
const MIN_TAKEN_BYTES = 4_096;

/** The progress of all callers is checked at this interval. */
export const PROGRESS_CHECK_MS = 2_000;

/** A connection, with its caller's progress with the responses at some time. */
class Connection extends Linked<Connection> {
  readonly socket: Socket;
  /** The address or network whose connections are counted. */
  readonly from: string;
  takenBytes = 0;
  /** Monotonic ms of the last progress; null when no bytes wait for the caller. */
  sinceMs: number | null = null;

  constructor(socket: Socket, from: string) {
    super();
    this.socket = socket;
    this.from = from;
  }
}

type ConnectionPolicy = ConnectionLimits & { readonly trustProxyHops: number };

/**
 * Limits the connections of each address, and disconnects callers that do not take their responses. An excess
 * connection is closed as soon as it is accepted. Behind our own proxies the peer is the proxy, which limits its
 * callers itself.
 */
export function boundConnections(server: Server, limits: ConnectionPolicy, clock: Clock): void {
  const connections = new Connections(limits, clock);
  server.on('connection', (socket) => connections.accept(socket));
  server.on('close', () => connections.close());
}

class Connections {
  readonly #limits: ConnectionPolicy;
  readonly #clock: Clock;
  readonly #open = new LinkedList<Connection>();
  /** All sockets that were accepted. */
  readonly #accepted = new WeakSet<Socket>();
  readonly #ofAddress = new Map<string, number>();
  #cancelCheck: (() => void) | null = null;

  constructor(limits: ConnectionPolicy, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Accepts a connection or closes it. The server emits the same socket twice when the first request asked for an
   * unsupported protocol (see upgrades.ts).
   */
  accept(socket: Socket): void {
    if (this.#accepted.has(socket)) return;
    const address = socket.remoteAddress ?? '';
    const from = networkOf(address, { v4: 32, v6: 64 });
    const others = this.#ofAddress.get(from) ?? 0;
    const inside = this.#limits.trustProxyHops > 0 || !isPublicAddress(address);
    const max = inside ? this.#limits.maxPerInsideAddress : this.#limits.maxPerAddress;
    if (max > 0 && others >= max) {
      socket.destroy();
      return;
    }
    this.#ofAddress.set(from, others + 1);
    this.#accepted.add(socket);
    const connection = new Connection(socket, from);
    this.#open.add(connection);
    socket.once('close', () => this.#closed(connection));
    this.#cancelCheck ??= this.#clock.after(PROGRESS_CHECK_MS, () => this.#checkProgress());
  }

  close(): void {
    this.#cancelCheck?.();
    this.#cancelCheck = null;
  }

  #closed(connection: Connection): void {
    const { from } = connection;
    this.#open.delete(connection);
    const left = this.#ofAddress.get(from)! - 1;
    if (left === 0) this.#ofAddress.delete(from);
    else this.#ofAddress.set(from, left);
    if (this.#open.size === 0) this.close();
  }

  #checkProgress(): void {
    this.#cancelCheck = this.#clock.after(PROGRESS_CHECK_MS, () => this.#checkProgress());
    const nowMs = this.#clock.monotonic();
    let untakenBytes = 0;
    for (const connection of this.#open) {
      const { socket } = connection;
      const waitingBytes = socket.writableLength;
      if (waitingBytes === 0) {
        connection.sinceMs = null;
        continue;
      }
      const takenBytes = socket.bytesWritten - waitingBytes;
      if (connection.sinceMs === null || takenBytes - connection.takenBytes >= MIN_TAKEN_BYTES) {
        connection.takenBytes = takenBytes;
        connection.sinceMs = nowMs;
      } else if (nowMs - connection.sinceMs >= this.#limits.stalledMs) {
        socket.destroy();
        continue;
      }
      untakenBytes += waitingBytes;
    }
    if (untakenBytes > this.#limits.maxUntakenBytes) this.#cutOff(untakenBytes);
  }

  /** Disconnects the callers without progress for longest, until the remaining bytes are within their limit. */
  #cutOff(untakenBytes: number): void {
    const byLastProgress = [...this.#open].filter(({ sinceMs }) => sinceMs !== null);
    byLastProgress.sort((one, other) => one.sinceMs! - other.sinceMs!);
    let leftBytes = untakenBytes;
    for (const { socket } of byLastProgress) {
      if (leftBytes <= this.#limits.maxUntakenBytes) return;
      leftBytes -= socket.writableLength;
      socket.destroy();
    }
  }
}
