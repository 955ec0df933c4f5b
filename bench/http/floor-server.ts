import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendToParent } from '../processes/child.ts';

/** Handles one ad request: `answer` takes the JSON of the response. */
export type HandleAdRequest = (body: Buffer, answer: (json: string | Buffer) => void) => void;

/**
 * The server of a floor: bare `node:http`. It reads a request whole, parses it, and has `handle` answer it. The parent
 * process is told its port.
 */
export function serveFloor(handle: HandleAdRequest): void {
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      const { imp } = JSON.parse(body.toString());
      if (imp.length === 0) throw new Error('nothing to auction');
      handle(body, (json) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) });
        response.end(json);
      });
    });
  });
  server.listen(0, '127.0.0.1', () => sendToParent({ port: (server.address() as AddressInfo).port }));
}
