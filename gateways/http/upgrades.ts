import { type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A connection whose request asked for a WebSocket. */
export interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  /** Detaches the connection from HTTP; the caller must respond on the socket. */
  take(): void;
}

/**
 * Serves WebSocket requests with the same handler as all others, so that a refusal looks like any other response. A
 * handler that accepts the upgrade finds the connection here; a response without it ends the connection. Other
 * protocols are not supported, and a request that names one is served as if it had not (RFC 9110 §7.8): many clients
 * name `h2c` with every first request, whatever its method and body. A request for another protocol that does not wait
 * for the response before it ends the connection: the socket is not free to change hands.
 */
export class Upgrades {
  readonly #upgrades = new WeakMap<IncomingMessage, Upgrade>();

  serve(server: Server, handler: RequestListener): void {
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      const response = new ServerResponse(request);
      if (!takesSocket(response, socket)) {
        socket.destroy();
        return;
      }
      if (!asksForWebSocket(request)) {
        response.detachSocket(socket);
        serveWithoutUpgrade(server, request, socket, head);
        return;
      }
      response.shouldKeepAlive = false;
      const destroy = () => socket.destroy();
      socket.on('error', destroy);
      const ended = () => {
        response.detachSocket(socket);
        // `end()` would not do: a caller that keeps its side open would hold the connection for ever.
        socket.destroySoon();
      };
      response.on('finish', ended);
      this.#upgrades.set(request, {
        socket,
        head,
        take() {
          response.off('finish', ended);
          socket.off('error', destroy);
          response.detachSocket(socket);
        },
      });
      handler(request, response as never);
    });
  }

  of(request: IncomingMessage): Upgrade | undefined {
    return this.#upgrades.get(request);
  }
}

/** Assigns the socket to the response; false where a response before it has the socket still. */
function takesSocket(response: ServerResponse, socket: Socket): boolean {
  try {
    response.assignSocket(socket);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_HTTP_SOCKET_ASSIGNED') return false;
    throw error;
  }
}

function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Hands the connection back to the server, with the same request minus its upgrade headers, as the last of its
 * connection: each time a server accepts a socket anew, it adds listeners to it.
 */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`, 'Connection: close'];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name, value] = request.rawHeaders.slice(at, at + 2) as [string, string];
    if (!/^(connection|upgrade|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
