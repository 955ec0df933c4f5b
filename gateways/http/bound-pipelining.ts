import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait on one connection behind one that is being answered (RFC 9112 §9.3.2): hardly any client sends one. */
const MAX_PIPELINED = 16;

/**
 * Hands requests on, and ends a connection on which more than {@link MAX_PIPELINED} have come before their forerunner's answer: one
 * connection would otherwise take all places for auctions with a few kilobytes. Costs nothing where nobody pipelines: a
 * response that waits for its turn has no socket yet.
 */
export function boundPipelining(handler: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    if (response.socket === null) {
      const { socket } = request;
      const others = waiting.get(socket) ?? 0;
      if (others >= MAX_PIPELINED) {
        socket.destroy();
        return;
      }
      waiting.set(socket, others + 1);
      response.once('finish', () => waiting.set(socket, waiting.get(socket)! - 1));
    }
    handler(request, response);
  };
}
