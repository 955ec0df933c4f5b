import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Dispatcher, Pool } from 'undici';
import { LOCAL_CERTIFICATE } from '../../test/support/local-certificate.ts';
import { contentLength } from '../http/connection.ts';

/** What a bare fan-out calls bidders with. */
export type FloorClient = 'undici' | 'sockets' | 'http2' | 'undici-http2';
/** Sends `body` to each bidder; `answered` gets the body of each answer. */
export type FloorFanOut = (body: Buffer, answered: (answer: Buffer) => void) => void;

const HEADERS = ['content-type', 'application/json', 'accept', 'application/json', 'accept-encoding', 'gzip'];
HEADERS.push('x-openrtb-version', '2.6');

export function floorClients(ports: readonly number[], client: FloorClient, tls: boolean): FloorFanOut {
  if (client === 'http2') return overHttp2(ports);
  if (client === 'sockets') return overSockets(ports, tls);
  return overUndici(ports, tls, client === 'undici-http2');
}

/** undici's pool, with `dispatch` and a raw handler. */
function overUndici(ports: readonly number[], tls: boolean, http2: boolean): FloorFanOut {
  const shared: Pool.Options = { headersTimeout: 0, bodyTimeout: 0 };
  // Of HTTP/2, one connection takes all calls at once.
  const options: Pool.Options = http2
    ? { ...shared, connections: 1, pipelining: 100, allowH2: true }
    : { ...shared, connections: 256, pipelining: 1 };
  const pools = ports.map(
    (port) =>
      new Pool(`${tls ? 'https' : 'http'}://127.0.0.1:${port}`, {
        ...options,
        ...(tls && { connect: { ca: LOCAL_CERTIFICATE.cert } }),
      }),
  );
  return (body, answered) => {
    for (const pool of pools)
      pool.dispatch({ path: '/bid', method: 'POST', headers: HEADERS, body }, new UndiciCall(answered));
  };
}

class UndiciCall implements Dispatcher.DispatchHandler {
  readonly #answered: (answer: Buffer) => void;
  #first: Buffer | null = null;
  #rest: Buffer[] | null = null;

  constructor(answered: (answer: Buffer) => void) {
    this.#answered = answered;
  }

  onConnect(): void {}

  onHeaders(): boolean {
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#first === null) this.#first = chunk;
    else {
      this.#rest ??= [this.#first];
      this.#rest.push(chunk);
    }
    return true;
  }

  onComplete(): void {
    this.#answered(this.#rest === null ? this.#first! : Buffer.concat(this.#rest));
  }

  onError(error: Error): void {
    throw error;
  }
}

/** node:http2, one connection to each bidder, on which all calls are at once. */
function overHttp2(ports: readonly number[]): FloorFanOut {
  const sessions: ClientHttp2Session[] = ports.map((port) =>
    connectHttp2(`https://127.0.0.1:${port}`, { ca: LOCAL_CERTIFICATE.cert }),
  );
  const head: Record<string, string> = { ':method': 'POST', ':path': '/bid' };
  for (let index = 0; index < HEADERS.length; index += 2) head[HEADERS[index]!] = HEADERS[index + 1]!;
  return (body, answered) => {
    for (const session of sessions) {
      const stream = session.request(head);
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => answered(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
      stream.on('error', (error) => {
        throw error;
      });
      stream.end(body);
    }
  };
}

/** The least that sockets allow: one write for a request, and an answer that is whole when its length is there. */
function overSockets(ports: readonly number[], tls: boolean): FloorFanOut {
  const idle = new Map<number, BareConnection[]>(ports.map((port) => [port, []]));
  const heads = new Map(ports.map((port) => [port, headOf(port)]));
  return (body, answered) => {
    for (const port of ports) {
      const free = idle.get(port)!;
      const connection = free.pop() ?? new BareConnection(port, tls, free);
      connection.ask(Buffer.concat([Buffer.from(`${heads.get(port)}${body.length}\r\n\r\n`), body]), answered);
    }
  };
}

function headOf(port: number): string {
  const lines = [`POST /bid HTTP/1.1`, `host: 127.0.0.1:${port}`, 'connection: keep-alive'];
  for (let index = 0; index < HEADERS.length; index += 2) lines.push(`${HEADERS[index]}: ${HEADERS[index + 1]}`);
  return `${lines.join('\r\n')}\r\ncontent-length: `;
}

class BareConnection {
  readonly #socket: Socket;
  readonly #idle: BareConnection[];
  #answered: (answer: Buffer) => void = () => undefined;
  #held: Buffer | null = null;

  constructor(port: number, tls: boolean, idle: BareConnection[]) {
    this.#idle = idle;
    const target = { port, host: '127.0.0.1' };
    this.#socket = tls ? connectTls({ ...target, ca: LOCAL_CERTIFICATE.cert }) : connect(target);
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', (error) => {
      throw error;
    });
  }

  ask(request: Buffer, answered: (answer: Buffer) => void): void {
    this.#answered = answered;
    this.#socket.write(request);
  }

  #take(chunk: Buffer): void {
    const bytes = this.#held === null ? chunk : Buffer.concat([this.#held, chunk]);
    const headEnd = bytes.indexOf('\r\n\r\n');
    if (headEnd < 0 || bytes.length < headEnd + 4 + contentLength(bytes.toString('latin1', 0, headEnd))) {
      this.#held = bytes;
      return;
    }
    this.#held = null;
    this.#idle.push(this);
    this.#answered(bytes.subarray(headEnd + 4));
  }
}
