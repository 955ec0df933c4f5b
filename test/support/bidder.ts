import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';

/** One request, as a bidder or a notice endpoint received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body; undefined where it was empty. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever was sent
  readonly body: any;
}

/** The behaviour of a bidder for one request. */
export type Script = (received: ReceivedRequest, response: ServerResponse) => void;

/** A real HTTP server on a loopback port that acts as a demand source and receives its notices. */
export interface ScriptedBidder {
  /** The URL of the bid endpoint. */
  readonly url: string;
  readonly origin: string;
  readonly received: ReceivedRequest[];
  /** Connections accepted so far. */
  readonly connections: () => number;
  /** Sockets that the other side closed or reset. */
  readonly closedSockets: () => number;
  script: Script;
  /** Resolves with the first `count` requests whose path begins with `prefix`. */
  waitForRequests(prefix: string, count?: number): Promise<ReceivedRequest[]>;
  /** Resolves when `count` sockets have been closed. */
  waitForClosedSockets(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startBidder(script: Script = noBid()): Promise<ScriptedBidder> {
  const received: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let connections = 0;
  let closed = 0;
  const wake = (): void => {
    for (const check of [...waiting]) check();
  };
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!holds()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      let bytes: Buffer = Buffer.concat(chunks);
      if (request.headers['content-encoding'] === 'gzip') bytes = gunzipSync(bytes);
      const receivedRequest: ReceivedRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined,
      };
      received.push(receivedRequest);
      if (receivedRequest.path.startsWith('/bid')) bidder.script(receivedRequest, response);
      else response.writeHead(200).end();
      wake();
    });
  });
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed++;
      sockets.delete(socket);
      wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const bidder: ScriptedBidder = {
    url: `${origin}/bid`,
    origin,
    received,
    connections: () => connections,
    closedSockets: () => closed,
    script,
    async waitForRequests(prefix, count = 1) {
      const matching = (): ReceivedRequest[] => received.filter(({ path }) => path.startsWith(prefix));
      await until(() => matching().length >= count);
      return matching().slice(0, count);
    },
    waitForClosedSockets: (count) => until(() => closed >= count),
    async close() {
      const done = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await done;
    },
  };
  return bidder;
}

/** The fields of a scripted bid; the others are those of a plain 300×250 banner. */
export interface ScriptedBid {
  readonly price: number;
  readonly seat?: string;
  /** The currency of the response. */
  readonly cur?: string;
  readonly [field: string]: unknown;
}

/** Answers with one bid on every imp. */
export function bids({ price, seat = 'seat-1', cur = 'USD', ...fields }: ScriptedBid): Script {
  return ({ body }, response) => answer(response, { ...bidResponse(body, price, seat, fields), cur });
}

function bidResponse(
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  request: any,
  price: number,
  seat: string,
  fields: Readonly<Record<string, unknown>>,
): object {
  return {
    id: request.id,
    bidid: `response-to-${request.id}`,
    seatbid: [
      {
        seat,
        bid: request.imp.map((imp: { id: string }) => ({
          id: `bid-${imp.id}`,
          impid: imp.id,
          price,
          adm: '<a href="https://advertiser.test/">an ad</a>',
          adomain: ['advertiser.test'],
          crid: 'creative-1',
          w: 300,
          h: 250,
          ...fields,
        })),
      },
    ],
  };
}

export function answer(response: ServerResponse, document: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

/** Answers with a bid whose response is changed before it is sent: a wrong id, another currency. */
export function changedBids(price: number, change: Readonly<Record<string, unknown>>): Script {
  return ({ body }, response) => answer(response, { ...bidResponse(body, price, 'seat-1', {}), cur: 'USD', ...change });
}

export function noBid(): Script {
  return (_received, response) => {
    response.writeHead(204).end();
  };
}

/** Accepts the request and never responds. */
export function silent(): Script {
  return () => undefined;
}

export function status(code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Script {
  return (_received, response) => {
    response.writeHead(code, headers).end(body);
  };
}

export function malformedJson(body = '{"id": "half a docu'): Script {
  return status(200, { 'content-type': 'application/json' }, body);
}

/** Announces 1,000 bytes, sends 10, and closes the connection. */
export function halfResponse(): Script {
  return (_received, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"id":"1",', () => response.destroy());
  };
}

/** Sends a body byte by byte, without end. */
export function dripFeed(): Script {
  return (_received, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(timer));
  };
}

/** Answers with a few kilobytes that decompress to `megabytes`. */
export function gzipBomb(megabytes: number): Script {
  const bomb = gzipSync(Buffer.alloc(megabytes * 1024 * 1024, 0x20));
  return (_received, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
  };
}

/** Answers with a valid bid response in gzip. */
export function gzipped(price: number): Script {
  return ({ body }, response) => {
    const bytes = gzipSync(JSON.stringify(bidResponse(body, price, 'seat-1', {})));
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bytes);
  };
}

export function oversized(bytes: number): Script {
  return status(200, { 'content-type': 'application/json' }, JSON.stringify({ id: 'x'.repeat(bytes) }));
}
