import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { contentLength } from './connection.ts';

const HEAD_END = Buffer.from('\r\n\r\n');

/** Handles one request: `answer` takes a complete response, head and body. */
export type Handle = (body: Buffer, answer: (response: Buffer) => void) => void;

/**
 * An HTTP/1.1 server with minimal work between socket and handler, so that ten bidders and the load fit on one core. It
 * handles one request at a time on a connection, and requests must have a Content-Length. With a certificate it speaks
 * TLS.
 */
export async function listenBare(
  handle: Handle,
  certificate: { readonly key: string; readonly cert: string } | null = null,
): Promise<{ readonly port: number; readonly server: Server }> {
  const serve = (socket: Socket): void => {
    let buffered: Buffer | null = null;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const bytes = buffered === null ? chunk : Buffer.concat([buffered, chunk]);
      const headEnd = bytes.indexOf(HEAD_END);
      const bodyAt = headEnd + HEAD_END.length;
      const length = headEnd < 0 ? Number.POSITIVE_INFINITY : contentLength(bytes.toString('latin1', 0, headEnd));
      if (bytes.length < bodyAt + length) {
        buffered = bytes;
        return;
      }
      buffered = null;
      handle(bytes.subarray(bodyAt, bodyAt + length), (response) => void socket.write(response));
    });
  };
  const server =
    certificate === null
      ? createServer({ noDelay: true }, serve)
      : createTlsServer({ ...certificate, noDelay: true }, serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server };
}
