import { type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A connection that asked to speak another protocol. */
export interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  /** Takes the connection away from HTTP: whoever calls this answers. */
  take(): void;
}

/**
 * Serves requests for a WebSocket as all others are served, by the same handler, so that a refusal looks like every other answer. A
 * handler that agrees to the upgrade finds the connection here; an answer without it ends the connection. Any other protocol is
 * nobody's here, and the request is served as if it had not been named (RFC 9110 §7.8): many clients name `h2c` with every
 * first request, whatever its method and body.
 */
export class Upgrades {
  readonly #asked = new WeakMap<IncomingMessage, Upgrade>();

  serve(server: Server, handler: RequestListener): void {
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (!asksForWebSocket(request)) {
        beginAgain(server, request, socket, head);
        return;
      }
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      const broken = () => socket.destroy();
      socket.on('error', broken);
      const ended = () => {
        response.detachSocket(socket);
        // Not `end()`: a caller that keeps its side open would hold the connection for ever.
        socket.destroySoon();
      };
      response.on('finish', ended);
      this.#asked.set(request, {
        socket,
        head,
        take() {
          response.off('finish', ended);
          socket.off('error', broken);
          response.detachSocket(socket);
        },
      });
      handler(request, response as never);
    });
  }

  of(request: IncomingMessage): Upgrade | undefined {
    return this.#asked.get(request);
  }
}

function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Gives the connection back to the server, with the same request less what it said of other protocols, as the last of its
 * connection: each time that a server begins anew with a socket, more hangs on it.
 */
function beginAgain(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`, 'Connection: close'];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name, value] = request.rawHeaders.slice(at, at + 2) as [string, string];
    if (!/^(connection|upgrade|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
