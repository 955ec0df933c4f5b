import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';

/** A request and what its answer must be. */
export interface ExpectedCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  readonly expected: readonly number[];
}

/** Calls on one kept-alive connection, one request after the other; tries nothing again. */
export class Caller {
  readonly failures: string[] = [];
  answered = 0;
  connections = 0;
  readonly #client: Client;
  readonly #headers: Record<string, string>;
  readonly #next: (number: number) => ExpectedCall;
  readonly #pauseMs: number;
  #calling: Promise<void> | null = null;
  #ending = false;

  constructor(url: string, headers: Record<string, string>, next: (number: number) => ExpectedCall, pauseMs: number) {
    this.#client = new Client(url, { pipelining: 1, keepAliveTimeout: 60_000 });
    this.#client.on('connect', () => this.connections++);
    this.#headers = headers;
    this.#next = next;
    this.#pauseMs = pauseMs;
  }

  start(): void {
    this.#calling = this.#callOn();
  }

  async end(): Promise<void> {
    this.#ending = true;
    await this.#calling;
    await this.#client.close();
  }

  async #callOn(): Promise<void> {
    for (let number = 0; !this.#ending; number++) {
      const { method, path, body, expected } = this.#next(number);
      const headers = { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
      const content = body === undefined ? null : JSON.stringify(body);
      try {
        const answer = await this.#client.request({ method, path, headers, body: content });
        const text = await answer.body.text();
        if (expected.includes(answer.statusCode)) this.answered++;
        else this.failures.push(`${method} ${path}: ${answer.statusCode} ${text}`);
      } catch (error) {
        this.failures.push(`${method} ${path}: ${error}`);
      }
      await pause(this.#pauseMs);
    }
  }
}
