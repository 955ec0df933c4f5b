import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jobOf, sendToParent } from '../processes/child.ts';

/** The floor: a bare server that parses the request as JSON and answers the same JSON as the exchange, byte for byte. */
const { answer } = jobOf<{ answer: string }>();
const document = JSON.parse(answer);
const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    const { imp } = JSON.parse(body.toString());
    if (imp.length === 0) throw new Error('nothing to auction');
    const text = JSON.stringify(document);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, '127.0.0.1', () => sendToParent({ port: (server.address() as AddressInfo).port }));
