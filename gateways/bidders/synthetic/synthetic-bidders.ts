import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BidRequest } from '../../../exchange/openrtb/bid-request.ts';
import type { Random } from '../../../runtime/ports/random.ts';
import { bidFor } from './bid.ts';
import { LateAnswers } from './late-answers.ts';
import { personas } from './personas.ts';

export interface SyntheticBidders {
  /** Persona name → where it takes bid requests. */
  readonly endpoints: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

const largestRequestBytes = 1_048_576;

/**
 * The sandbox's demand: bidders that anybody can win against or lose to, behind real HTTP on a loopback port. A bid
 * request gets 200 with a bid or 204; what is no bid request gets 400; another path gets 404.
 */
export async function startSyntheticBidders(random: Random): Promise<SyntheticBidders> {
  const late = new LateAnswers();
  const server = createServer((request, response) => {
    answer(request, response, random, late).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoints: new Map(personas.map(({ name, path }) => [name, `${origin}${path}`])),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        late.drop();
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  random: Random,
  late: LateAnswers,
): Promise<void> {
  const persona = personas.find(({ path }) => path === request.url);
  if (persona === undefined || request.method !== 'POST') return void response.writeHead(404).end();
  const bidRequest = await read(request);
  if (bidRequest === null) return void response.writeHead(400).end();
  const bid = bidFor(bidRequest, persona, () => random.next());
  if (persona.answersAfterMs === 0) send(response, bid);
  else late.hold(response, persona.answersAfterMs, () => send(response, bid));
}

function send(response: ServerResponse, bid: object | null): void {
  if (bid === null) return void response.writeHead(204).end();
  const body = JSON.stringify(bid);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

async function read(request: IncomingMessage): Promise<BidRequest | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > largestRequestBytes) return null;
    chunks.push(chunk);
  }
  try {
    const document = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return Array.isArray(document?.imp) && document.imp.every(isObject) ? document : null;
  } catch {
    return null;
  }
}
