import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * A kept-alive HTTP/1.1 connection with one request at a time, which does as little work as possible for the load
 * generator.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #buffered: Buffer | null = null;
  #resolve: ((answer: HttpAnswer) => void) | null = null;
  #reject: ((error: Error) => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#reject?.(error));
    socket.on('close', () => this.#reject?.(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.off('error', reject);
        resolve(new HttpConnection(socket));
      });
      socket.once('error', reject);
    });
  }

  /** Sends a complete request, head and body, and resolves with the complete response. */
  ask(request: Buffer | string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('the server has closed the connection'));
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#reject = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const bytes = this.#buffered === null ? chunk : Buffer.concat([this.#buffered, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) {
      this.#buffered = bytes;
      return;
    }
    const head = bytes.toString('latin1', 0, headEnd);
    const bodyAt = headEnd + HEAD_END.length;
    const length = contentLength(head);
    if (bytes.length < bodyAt + length) {
      this.#buffered = bytes;
      return;
    }
    this.#buffered = null;
    const answered = this.#resolve;
    this.#resolve = null;
    answered?.({ status: Number(head.slice(9, 12)), body: bytes.subarray(bodyAt, bodyAt + length) });
  }
}

/** The Content-Length of a head; 0 without one: the measured servers send their responses in one piece. */
export function contentLength(head: string): number {
  const found = /\r\ncontent-length: *(\d+)/i.exec(head);
  return found ? Number(found[1]) : 0;
}
