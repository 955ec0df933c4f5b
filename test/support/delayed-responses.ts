import type { ServerResponse } from 'node:http';

/** Delayed responses at most; beyond it the oldest connection is closed. Callers give up long before. */
const MAX_HELD = 1_024;

/** Responses that are sent after a delay. A caller that closes its connection frees its response. */
export class DelayedResponses {
  /** The delayed responses, oldest first. */
  readonly #held = new Map<ServerResponse, NodeJS.Timeout>();

  hold(response: ServerResponse, delayMs: number, answer: () => void): void {
    const [oldest] = this.#held.keys();
    if (oldest && this.#held.size >= MAX_HELD) this.#release(oldest).destroy();
    const timer = setTimeout(() => {
      this.#held.delete(response);
      answer();
    }, delayMs);
    this.#held.set(response, timer);
    response.once('close', () => this.#release(response));
  }

  /** Closes all waiting connections. */
  drop(): void {
    for (const response of this.#held.keys()) this.#release(response).destroy();
  }

  #release(response: ServerResponse): ServerResponse {
    clearTimeout(this.#held.get(response));
    this.#held.delete(response);
    return response;
  }
}
