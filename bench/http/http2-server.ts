import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Handle } from './bare-server.ts';

/**
 * An HTTP/2 server over TLS that hands whole bodies on. Of the response that `handle` gives, a head and a body of
 * HTTP/1.1, it sends the body.
 */
export async function listenHttp2(
  handle: Handle,
  certificate: { readonly key: string; readonly cert: string },
): Promise<number> {
  const server = createSecureServer({ ...certificate, noDelay: true });
  server.on('stream', (stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () =>
      handle(Buffer.concat(chunks), (response) => {
        stream.respond({ ':status': 200, 'content-type': 'application/json' });
        stream.end(response.subarray(response.indexOf('\r\n\r\n') + 4));
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
