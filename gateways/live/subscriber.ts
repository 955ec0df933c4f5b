import { WebSocket } from 'ws';
import type { LiveCredential } from './credential.ts';
import type { LiveScope } from './live-scope.ts';

/** A message has about 100 bytes; a subscriber with this many unsent bytes does not read. */
const MAX_BUFFERED_BYTES = 16_384;
/** A subscriber may send this many frames between two pushes; it need not send any. */
const MAX_RECEIVED = 100;

/** Close codes (RFC 6455 §7.4.1). */
export const GOING_AWAY = 1001;
export const POLICY_VIOLATION = 1008;

/** One open WebSocket that receives pushes. */
export class Subscriber {
  readonly scope: LiveScope;
  readonly credential: LiveCredential;
  readonly #socket: WebSocket;
  #received = 0;
  /** Whether the subscriber has answered the last ping. */
  #isAlive = true;

  constructor(socket: WebSocket, scope: LiveScope, credential: LiveCredential, ended: () => void) {
    this.#socket = socket;
    this.scope = scope;
    this.credential = credential;
    socket.on('pong', () => {
      this.#isAlive = true;
      this.#countReceived();
    });
    // Messages are ignored, and their number is bounded, because each ping would be answered too.
    for (const event of ['message', 'ping'] as const) socket.on(event, () => this.#countReceived());
    // The connection broke or the subscriber sent an invalid frame; `close` follows.
    socket.on('error', () => {});
    socket.on('close', ended);
  }

  /** Sends a message, or terminates a subscriber that does not read. */
  push(message: Buffer): void {
    this.#received = 0;
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_BUFFERED_BYTES) this.#socket.terminate();
    else this.#socket.send(message, { binary: false });
  }

  /** Sends a ping, or terminates a subscriber that has not answered the last one. */
  ping(): void {
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
  }

  /** Closes the socket after too many frames, and terminates it when more follow. */
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
