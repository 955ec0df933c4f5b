import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';
import { LOCAL_CERTIFICATE } from '#test/support/local-certificate';

/**
 * A bidder over TLS in a thread of its own, which answers each request with `{}`. `workerData` shares two numbers: how
 * many requests it has answered, and how many connections it has had.
 */
const counts = workerData as Int32Array;
const server = createServer(LOCAL_CERTIFICATE, (socket) => {
  Atomics.add(counts, 1, 1);
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    if (!bytes.includes('}]}')) return;
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', () => {
      Atomics.add(counts, 0, 1);
      Atomics.notify(counts, 0);
    });
  });
});
server.listen(0, '127.0.0.1', () => parentPort!.postMessage((server.address() as AddressInfo).port));
