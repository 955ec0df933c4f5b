import type { Server } from 'node:http';

/**
 * From now on each answer is the last of its connection, so that callers and load balancers take their next request
 * elsewhere (RFC 9112 §9.6). The server goes on accepting; when it closes, no connection in use is left to cut off.
 */
export function endConnectionsAfterAnswers(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.setHeader('Connection', 'close');
  });
}
