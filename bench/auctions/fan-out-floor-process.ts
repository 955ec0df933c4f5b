import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jobOf, sendToParent } from '../processes/child.ts';
import { type FloorClient, floorClients } from './floor-clients.ts';

/**
 * The floor: an auction without an exchange. A bare server parses the request, sends the same bytes to every bidder,
 * parses the responses and answers with the highest bid's.
 */
const { bidderPorts, client, tls } = jobOf<{ bidderPorts: number[]; client?: FloorClient; tls?: boolean }>();
const ask = floorClients(bidderPorts, client ?? 'undici', tls === true);

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    const { imp } = JSON.parse(body.toString());
    if (imp.length === 0) throw new Error('nothing to auction');
    let best: Buffer | null = null;
    let bestPrice = 0;
    let waiting = bidderPorts.length;
    const answered = (answer: Buffer): void => {
      const { price } = JSON.parse(answer.toString()).seatbid[0].bid[0];
      if (price > bestPrice) {
        bestPrice = price;
        best = answer;
      }
      if (--waiting > 0) return;
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': best!.length });
      response.end(best);
    };
    ask(body, answered);
  });
});
server.listen(0, '127.0.0.1', () => sendToParent({ port: (server.address() as AddressInfo).port }));
