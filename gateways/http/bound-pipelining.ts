import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests that may wait on one connection behind the one in progress (RFC 9112 §9.3.2); clients hardly ever pipeline.
 */
const MAX_PIPELINED = 16;

/**
 * Wraps a handler and closes a connection on which more than {@link MAX_PIPELINED} requests wait for the response
 * before theirs: otherwise one connection could take all places for auctions with a few kilobytes. A request that is
 * not pipelined costs nothing: only a response that waits for its turn has no socket yet.
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
