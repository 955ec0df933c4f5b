import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bidder in a process of its own that answers every request with 204. Sends its URL to the parent. */
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/bid`);
});
process.on('disconnect', () => process.exit(0));
