import { WebSocket } from 'ws';
import type { LiveCredential } from './credential.ts';
import type { LiveScope } from './live-scope.ts';

/** Messages are a hundred bytes: whoever has so many on the way reads none. */
const MAX_BUFFERED_BYTES = 16_384;
/** Nothing is expected of a subscriber. */
const MAX_RECEIVED = 100;

/** Close codes (RFC 6455 §7.4.1). */
export const GOING_AWAY = 1001;
export const POLICY_VIOLATION = 1008;

/** One open WebSocket. */
export class Subscriber {
  readonly scope: LiveScope;
  readonly credential: LiveCredential;
  readonly #socket: WebSocket;
  #received = 0;
  /** Whether it has answered since it was asked whether it is there. */
  #isAlive = true;

  constructor(socket: WebSocket, scope: LiveScope, credential: LiveCredential, ended: () => void) {
    this.#socket = socket;
    this.scope = scope;
    this.credential = credential;
    socket.on('pong', () => {
      this.#isAlive = true;
      this.#countReceived();
    });
    // What it says is of no interest, and it may not keep us busy with it: each ping is answered, too.
    for (const said of ['message', 'ping'] as const) socket.on(said, () => this.#countReceived());
    // Its connection broke, or it sent what is no WebSocket frame: `close` follows.
    socket.on('error', () => {});
    socket.on('close', ended);
  }

  /** Drops whoever does not read. */
  push(message: Buffer): void {
    this.#received = 0;
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_BUFFERED_BYTES) this.#socket.terminate();
    else this.#socket.send(message, { binary: false });
  }

  /** Asks whether it is there; drops it when it has not answered the last time. */
  ping(): void {
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
  }

  /** Whoever goes on after he was sent away is cut off. */
  #countReceived(): void {
    this.#received += 1;
    if (this.#received > 2 * MAX_RECEIVED) this.terminate();
    else if (this.#received > MAX_RECEIVED) this.close(POLICY_VIOLATION, 'nothing is expected of you');
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }
}
