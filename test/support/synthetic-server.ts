import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerFor, type SyntheticAnswer } from '../../gateways/bidders/synthetic/answer.ts';
import { syntheticBidders } from '../../gateways/bidders/synthetic/synthetic-bidders.ts';
import type { Random } from '../../runtime/ports/random.ts';
import { DelayedResponses } from './delayed-responses.ts';

export interface SyntheticBidders {
  /** URLs of the bid endpoints by persona. */
  readonly endpoints: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** Serves the synthetic demand over real HTTP on a loopback port, as bidders of a test. */
export async function startSyntheticBidders(random: Random): Promise<SyntheticBidders> {
  const late = new DelayedResponses();
  const server = createServer((request, response) => {
    answer(request, response, random, late).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoints: new Map(syntheticBidders.map(({ name, path }) => [name, `${origin}${path}`])),
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
  late: DelayedResponses,
): Promise<void> {
  const persona = syntheticBidders.find(({ path }) => path === request.url);
  if (persona === undefined || request.method !== 'POST') return void response.writeHead(404).end();
  const answer = answerFor(persona, await read(request), 'http://localhost:8081', () => random.next());
  if (persona.answersAfterMs === 0) send(response, answer);
  else late.hold(response, persona.answersAfterMs, () => send(response, answer));
}

function send(response: ServerResponse, answer: SyntheticAnswer): void {
  if (answer.status !== 200) return void response.writeHead(answer.status).end();
  response
    .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.body.length })
    .end(answer.body);
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
