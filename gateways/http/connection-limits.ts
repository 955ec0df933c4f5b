import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../runtime/ports/clock.ts';
import { isPublicAddress } from './address-guard.ts';
import { networkOf } from './network-of.ts';

/** What the connections of one server may take. */
export interface ConnectionLimits {
  /** Connections of one public address (IPv6: a /64, which is one customer's), idle ones too; 0: any number. */
  readonly maxPerAddress: number;
  /** The same of one address that is not public, or of a trusted proxy: a load balancer brings everybody; 0: any number. */
  readonly maxPerInsideAddress: number;
  /** A caller that takes less than a few kilobytes of its answer in this time is cut off. */
  readonly stalledMs: number;
  /** Bytes of answers that callers have not taken; beyond, those who have taken nothing for longest are cut off. */
  readonly maxUntakenBytes: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  maxPerAddress: 1_000,
  maxPerInsideAddress: 0,
  stalledMs: 30_000,
  maxUntakenBytes: 64 * 1024 * 1024,
};

/** What a caller must take of its answer in `stalledMs`. */
const MIN_TAKEN_BYTES = 4_096;

/** How often it is looked at what callers have taken. */
export const PROGRESS_CHECK_MS = 2_000;

/** How much of its answers a caller had taken at some time. */
interface Progress {
  /** Address or network that the connection counts for. */
  readonly from: string;
  takenBytes: number;
  /** Monotonic; null: there is nothing to take. */
  sinceMs: number | null;
}

type Policy = ConnectionLimits & { readonly trustProxyHops: number };

/**
 * Bounds the connections of each address, and cuts off callers that do not take their answers. A connection too many is closed as
 * soon as it is accepted. Behind proxies of our own the peer is the proxy, which bounds its callers itself.
 */
export function boundConnections(server: Server, limits: Policy, clock: Clock): void {
  const connections = new Connections(limits, clock);
  server.on('connection', (socket) => connections.accept(socket));
  server.on('close', () => connections.close());
}

class Connections {
  readonly #limits: Policy;
  readonly #clock: Clock;
  readonly #open = new Map<Socket, Progress>();
  readonly #ofAddress = new Map<string, number>();
  #cancelLook: (() => void) | null = null;

  constructor(limits: Policy, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** A server begins anew with a socket that asked for a protocol which is not spoken here: it comes twice. */
  accept(socket: Socket): void {
    if (this.#open.has(socket)) return;
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
    this.#open.set(socket, { from, takenBytes: 0, sinceMs: null });
    socket.once('close', () => this.#closed(socket));
    this.#cancelLook ??= this.#clock.after(PROGRESS_CHECK_MS, () => this.#look());
  }

  close(): void {
    this.#cancelLook?.();
    this.#cancelLook = null;
  }

  #closed(socket: Socket): void {
    const { from } = this.#open.get(socket)!;
    this.#open.delete(socket);
    const left = this.#ofAddress.get(from)! - 1;
    if (left === 0) this.#ofAddress.delete(from);
    else this.#ofAddress.set(from, left);
    if (this.#open.size === 0) this.close();
  }

  #look(): void {
    this.#cancelLook = this.#clock.after(PROGRESS_CHECK_MS, () => this.#look());
    const nowMs = this.#clock.monotonic();
    let untakenBytes = 0;
    for (const [socket, progress] of this.#open) {
      const waitingBytes = socket.writableLength;
      if (waitingBytes === 0) {
        progress.sinceMs = null;
        continue;
      }
      const takenBytes = socket.bytesWritten - waitingBytes;
      if (progress.sinceMs === null || takenBytes - progress.takenBytes >= MIN_TAKEN_BYTES) {
        progress.takenBytes = takenBytes;
        progress.sinceMs = nowMs;
      } else if (nowMs - progress.sinceMs >= this.#limits.stalledMs) {
        socket.destroy();
        continue;
      }
      untakenBytes += waitingBytes;
    }
    if (untakenBytes > this.#limits.maxUntakenBytes) this.#cutOff(untakenBytes);
  }

  /** Cuts off those who have taken nothing for longest, until the rest is within its bound. */
  #cutOff(untakenBytes: number): void {
    const slowest = [...this.#open].filter(([, { sinceMs }]) => sinceMs !== null);
    slowest.sort(([, one], [, other]) => one.sinceMs! - other.sinceMs!);
    let leftBytes = untakenBytes;
    for (const [socket] of slowest) {
      if (leftBytes <= this.#limits.maxUntakenBytes) return;
      leftBytes -= socket.writableLength;
      socket.destroy();
    }
  }
}
