import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A bidder in a worker thread that answers every request with 204. It posts its URL to the parent and counts its
 * answers in shared memory, so that a parent with a blocked event loop can read the count.
 */
const answers = new Int32Array(workerData as SharedArrayBuffer);
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(204).end(() => Atomics.add(answers, 0, 1));
  });
});
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/bid`);
});
