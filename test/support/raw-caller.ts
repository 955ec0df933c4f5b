import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A caller that writes any bytes to its connection and collects what it receives. */
export class RawCaller {
  readonly socket: Socket;
  /** Resolves when the connection has ended for any reason. */
  readonly closed: Promise<void>;
  #received = '';
  #waiting: (() => void)[] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      this.#received += bytes.toString('latin1');
      for (const wake of this.#waiting.splice(0)) wake();
    });
    socket.once('close', () => {
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  static async to(origin: string): Promise<RawCaller> {
    const { hostname, port } = new URL(origin);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: false });
    await once(socket, 'connect');
    return new RawCaller(socket);
  }

  get received(): string {
    return this.#received;
  }

  write(text: string): void {
    this.socket.write(text);
  }

  /** Resolves with everything received so far, once it matches `awaited` or the connection has ended. */
  async waitFor(awaited: RegExp | ((received: string) => boolean)): Promise<string> {
    const has = typeof awaited === 'function' ? awaited : (received: string) => awaited.test(received);
    while (!has(this.#received) && !this.socket.destroyed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.#received;
  }

  end(): void {
    this.socket.destroy();
  }
}

/** The head of a bid request that announces a body of `bytes` bytes. */
export function bidRequestHead(bytes: number): string {
  return `POST /rtb HTTP/1.1\r\nHost: edge.test\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
}
