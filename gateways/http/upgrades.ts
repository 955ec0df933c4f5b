import { type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A connection that asked to speak another protocol. */
export interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  /** Takes the connection away from HTTP: whoever calls this answers. */
  take(): void;
}

/**
 * Serves requests with an `Upgrade` header as all others are served, by the same handler, so that a refusal looks like every other
 * answer. A handler that agrees to the upgrade finds the connection here; nobody has to (RFC 9110 §7.8), and an answer without it
 * ends the connection.
 */
export class Upgrades {
  readonly #asked = new WeakMap<IncomingMessage, Upgrade>();

  serve(server: Server, handler: RequestListener): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket as never);
      const broken = () => socket.destroy();
      socket.on('error', broken);
      const ended = () => {
        response.detachSocket(socket as never);
        socket.end();
      };
      response.on('finish', ended);
      this.#asked.set(request, {
        socket,
        head,
        take() {
          response.off('finish', ended);
          socket.off('error', broken);
          response.detachSocket(socket as never);
        },
      });
      handler(request, response as never);
    });
  }

  of(request: IncomingMessage): Upgrade | undefined {
    return this.#asked.get(request);
  }
}
