import type { ServerResponse } from 'node:http';

/** Answers held back at once; past this the oldest caller is hung up on. Callers give up long before. */
const MAX_HELD = 1_024;

/** Answers that are kept until nobody waits for them. A caller that hangs up frees what is held for it. */
export class DelayedResponses {
  /** In the order in which they came. */
  readonly #held = new Map<ServerResponse, NodeJS.Timeout>();

  hold(response: ServerResponse, delayMs: number, answer: () => void): void {
    const [oldest] = this.#held.keys();
    if (oldest && this.#held.size >= MAX_HELD) this.#let(oldest).destroy();
    const timer = setTimeout(() => {
      this.#held.delete(response);
      answer();
    }, delayMs);
    this.#held.set(response, timer);
    response.once('close', () => this.#let(response));
  }

  /** Hangs up on everybody. */
  drop(): void {
    for (const response of this.#held.keys()) this.#let(response).destroy();
  }

  #let(response: ServerResponse): ServerResponse {
    clearTimeout(this.#held.get(response));
    this.#held.delete(response);
    return response;
  }
}
