import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A caller that writes to its connection whatever it likes, and reads only when it is told to. */
export class RawCaller {
  readonly socket: Socket;
  /** Resolves when the connection has ended, however it did. */
  readonly closed: Promise<void>;
  #heard = '';
  #waiting: (() => void)[] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      this.#heard += bytes.toString('latin1');
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
    return this.#heard;
  }

  write(text: string): void {
    this.socket.write(text);
  }

  /** Resolves with all that the connection has brought when that is what is awaited, or when it has ended. */
  async waitFor(awaited: RegExp | ((heard: string) => boolean)): Promise<string> {
    const has = typeof awaited === 'function' ? awaited : (heard: string) => awaited.test(heard);
    while (!has(this.#heard) && !this.socket.destroyed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.#heard;
  }

  end(): void {
    this.socket.destroy();
  }
}

/** The head of a bid request whose body of so many bytes is to come. */
export function bidRequestHead(bytes: number): string {
  return `POST /rtb HTTP/1.1\r\nHost: edge.test\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
}
