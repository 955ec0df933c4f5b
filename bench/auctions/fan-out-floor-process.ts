import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import { jobOf, sendToParent } from '../processes/child.ts';

/**
 * The floor: an auction without an exchange. A bare server parses the request, sends the same bytes to every bidder
 * with undici's `dispatch` and a raw handler, parses the responses and answers with the highest bid's.
 */
const { bidderPorts } = jobOf<{ bidderPorts: number[] }>();
const pools = bidderPorts.map(
  (port) =>
    new Pool(`http://127.0.0.1:${port}`, { connections: 256, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 }),
);
const headers = ['content-type', 'application/json', 'accept', 'application/json', 'accept-encoding', 'gzip'];
headers.push('x-openrtb-version', '2.6');

interface BestBid {
  price: number;
  bytes: Buffer | null;
  waiting: number;
}

class Call implements Dispatcher.DispatchHandler {
  readonly #best: BestBid;
  readonly #done: () => void;
  #first: Buffer | null = null;
  #rest: Buffer[] | null = null;

  constructor(best: BestBid, done: () => void) {
    this.#best = best;
    this.#done = done;
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
    const bytes = this.#rest === null ? this.#first! : Buffer.concat(this.#rest);
    const { price } = JSON.parse(bytes.toString()).seatbid[0].bid[0];
    if (price > this.#best.price) {
      this.#best.price = price;
      this.#best.bytes = bytes;
    }
    if (--this.#best.waiting === 0) this.#done();
  }

  onError(error: Error): void {
    throw error;
  }
}

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    const { imp } = JSON.parse(body.toString());
    if (imp.length === 0) throw new Error('nothing to auction');
    const best: BestBid = { price: 0, bytes: null, waiting: pools.length };
    const answer = () => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': best.bytes!.length });
      response.end(best.bytes);
    };
    for (const pool of pools) pool.dispatch({ path: '/bid', method: 'POST', headers, body }, new Call(best, answer));
  });
});
server.listen(0, '127.0.0.1', () => sendToParent({ port: (server.address() as AddressInfo).port }));
