import type { ExchangeProcess } from '../processes/exchange.ts';
import { HttpConnection } from './connection.ts';

export interface ApiAnswer<T> {
  readonly body: T;
  /** The time from sending the request to the complete response. */
  readonly tookMs: number;
  /** The time of the response by this process's `performance.now()`. */
  readonly answeredMs: number;
}

/** A connection that was idle for longer is not used again, because servers close it: Node after 5 s. */
const IDLE_AT_MOST_MS = 3_000;

/**
 * Calls the management API on kept-alive connections, as many as there are calls in flight. Every call must succeed.
 */
export class ApiClient {
  readonly #port: number;
  readonly #head: string;
  readonly #every: HttpConnection[] = [];
  #idle: { readonly connection: HttpConnection; readonly sinceMs: number }[] = [];

  constructor({ port, apiKey }: Pick<ExchangeProcess, 'port' | 'apiKey'>) {
    this.#port = port;
    this.#head = `Host: localhost:${port}\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n`;
  }

  async ask<T>(method: string, path: string, given?: object): Promise<ApiAnswer<T>> {
    const connection = await this.#connection();
    const text = given === undefined ? '' : JSON.stringify(given);
    const request = `${method} ${path} HTTP/1.1\r\n${this.#head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    const sentMs = performance.now();
    const { status, body } = await connection.ask(request);
    const answeredMs = performance.now();
    this.#idle.push({ connection, sinceMs: answeredMs });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${body.toString().slice(0, 300)}`);
    return { body: JSON.parse(body.toString() || 'null') as T, tookMs: answeredMs - sentMs, answeredMs };
  }

  /** Makes all calls, `inFlight` at a time. */
  async all<T>(calls: readonly ((client: ApiClient) => Promise<T>)[], inFlight: number): Promise<T[]> {
    const results: T[] = [];
    let next = 0;
    const inTurn = async () => {
      while (next < calls.length) {
        const at = next++;
        results[at] = await calls[at]!(this);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, inTurn));
    return results;
  }

  close(): void {
    for (const connection of this.#every) connection.close();
  }

  async #connection(): Promise<HttpConnection> {
    const idle = this.#idle.pop();
    if (idle && performance.now() - idle.sinceMs < IDLE_AT_MOST_MS) return idle.connection;
    this.#idle = [];
    const connection = await HttpConnection.open(this.#port);
    this.#every.push(connection);
    return connection;
  }
}
