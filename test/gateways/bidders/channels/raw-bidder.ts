import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { eventually } from '#test/support/eventually';

/** What a raw bidder does when the whole request has arrived. */
export type RawScript = (socket: Socket, request: string) => void;

/** A TCP or TLS server that answers with bytes, well-formed or not. */
export interface RawBidder {
  readonly url: URL;
  script: RawScript;
  /** All requests so far, whole. */
  readonly requests: string[];
  readonly connections: () => number;
  readonly closed: () => number;
  waitForClosed(count: number): Promise<void>;
  waitForRequests(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startRawBidder(script: RawScript, server: Server = createServer()): Promise<RawBidder> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let connections = 0;
  let closed = 0;
  const take = (socket: Socket): void => {
    connections++;
    sockets.add(socket);
    let received = '';
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
      if (head < 0 || received.length < head + 4 + length) return;
      const request = received.slice(0, head + 4 + length);
      received = received.slice(request.length);
      requests.push(request);
      bidder.script(socket, request);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed++;
      sockets.delete(socket);
    });
  };
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bidder: RawBidder = {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/bid?seat=1`),
    script,
    requests,
    connections: () => connections,
    closed: () => closed,
    async waitForClosed(count) {
      await eventually(`${count} closed connections`, () => closed >= count);
    },
    async waitForRequests(count) {
      await eventually(`${count} requests`, () => requests.length >= count);
    },
    async close() {
      const ended = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await ended;
    },
  };
  return bidder;
}
