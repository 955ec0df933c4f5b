import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came
  readonly event: any;
  readonly method: string;
  readonly url: string;
}

/** A status to answer, or nothing at all; by the event and how many came before. */
export type Manner = (received: Received, before: number) => number | 'hang' | 'die';

/** A real server that receives events. */
export class Receiver {
  readonly received: Received[] = [];
  manner: Manner = () => 200;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<Receiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const { headers, method = '', url = '' } = request;
        const received = { headers, body, event: JSON.parse(body), method, url };
        const manner = receiver.manner(received, receiver.received.length);
        receiver.received.push(received);
        if (manner === 'hang') return;
        if (manner === 'die') request.socket.destroy();
        else response.writeHead(manner, { Location: '/elsewhere' }).end(manner === 204 ? undefined : 'thanks');
      });
    });
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/events`;
  }

  /** What came, of one kind of event. */
  ofType(type: string): Received[] {
    return this.received.filter(({ event }) => event.type === type);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Throws unless the signature is good, as the library for receivers judges it. */
export function verify({ body, headers }: Received, secret: string): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
