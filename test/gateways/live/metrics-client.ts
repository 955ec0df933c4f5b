import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { eventually } from '../../support/eventually.ts';

/** A client of `/ws/metrics`, with all that it was sent. */
export class MetricsClient {
  readonly socket: WebSocket;
  readonly messages: { readonly atMs: number; readonly text: string }[] = [];
  closed: { readonly code: number; readonly reason: string } | null = null;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => void this.messages.push({ atMs: performance.now(), text: String(data) }));
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
    socket.on('error', () => {});
  }

  /** Resolves when it is open; rejects when it was refused. */
  static async open(baseUrl: string, headers: Record<string, string>, path = '/ws/metrics'): Promise<MetricsClient> {
    const client = new MetricsClient(new WebSocket(`${baseUrl.replace('http', 'ws')}${path}`, { headers }));
    await once(client.socket, 'open');
    return client;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came
  get last(): any {
    const message = this.messages.at(-1);
    return message === undefined ? undefined : JSON.parse(message.text);
  }

  /** How many messages have come when a ping has been there and back: the server sends in order. */
  async countAfterPing(): Promise<number> {
    const answered = once(this.socket, 'pong');
    this.socket.ping();
    await answered;
    return this.messages.length;
  }

  /** How the server closed it. */
  ended(timeoutMs = 15_000): Promise<{ readonly code: number; readonly reason: string }> {
    return eventually('the WebSocket to be closed', () => this.closed, { timeoutMs });
  }

  async end(): Promise<void> {
    this.socket.terminate();
    await eventually('the WebSocket to be gone', () => this.closed);
  }
}

/** What an upgrade that is refused is answered. */
export async function refusal(
  baseUrl: string,
  headers: Record<string, string>,
  path = '/ws/metrics',
): Promise<{
  status: number;
  headers: IncomingMessage['headers'];
  body: { error: { code: string; message: string } };
}> {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}${path}`, { headers });
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode!, headers: response.headers, body: JSON.parse(Buffer.concat(parts).toString()) };
}
