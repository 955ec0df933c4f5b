import { setTimeout as pause } from 'node:timers/promises';
import { HttpConnection } from './connection.ts';

export interface LoopResult {
  readonly answered: number;
  readonly seconds: number;
  /** Number of responses with status 204. */
  readonly empty: number;
  /** The time of each request in ms, from sending it to its complete response. */
  readonly timesMs: number[];
}

/** A closed loop: each connection sends its next request when the last one is answered. */
export class ClosedLoop {
  readonly #connections: HttpConnection[];

  private constructor(connections: HttpConnection[]) {
    this.#connections = connections;
  }

  static async open(port: number, connections: number): Promise<ClosedLoop> {
    return new ClosedLoop(await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(port))));
  }

  /**
   * Keeps one request in flight on each of `inFlight` connections (default: all) for `seconds`. Throws for any status
   * but 200 and 204. `next` makes the next request, or answers null when there are no more. Requests leave no earlier
   * than `perSecond` allows.
   */
  async run(
    seconds: number,
    next: () => Buffer | string | null,
    inFlight = Infinity,
    perSecond = Infinity,
  ): Promise<LoopResult> {
    const timesMs: number[] = [];
    let empty = 0;
    const startedMs = performance.now();
    const endMs = startedMs + seconds * 1000;
    let asked = 0;
    const askInTurn = async (connection: HttpConnection) => {
      for (let nowMs = performance.now(); nowMs < endMs; ) {
        const waitMs = startedMs + (asked++ * 1_000) / perSecond - nowMs;
        if (waitMs > 0) {
          await pause(waitMs);
          nowMs = performance.now();
          if (nowMs >= endMs) return;
        }
        const request = next();
        if (request === null) return;
        const { status, body } = await connection.ask(request);
        if (status === 204) empty += 1;
        else if (status !== 200) throw new Error(`answered ${status}: ${body.toString().slice(0, 300)}`);
        const doneMs = performance.now();
        timesMs.push(doneMs - nowMs);
        nowMs = doneMs;
      }
    };
    await Promise.all(this.#connections.slice(0, inFlight).map(askInTurn));
    return { answered: timesMs.length, empty, seconds: (performance.now() - startedMs) / 1000, timesMs };
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}
