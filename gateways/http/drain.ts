import type { Server } from 'node:http';

/**
 * Makes each response from now on the last one of its connection, so that callers and load balancers send their next
 * request elsewhere (RFC 9112 §9.6). The server continues to accept connections. When it closes, no connection in use
 * has to be cut off.
 */
export function endConnectionsAfterAnswers(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.setHeader('Connection', 'close');
  });
}
