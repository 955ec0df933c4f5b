import { HttpConnection } from '../http/connection.ts';

/** The outcome of an auction. */
export type Outcome = 'sold' | 'unsold' | 'refused';

const OUTCOMES: Readonly<Record<number, Outcome>> = { 200: 'sold', 204: 'unsold', 403: 'refused' };
const GIVE_UP_AFTER_MS = 10_000;

/** An edge that runs one auction after another. */
export class WatchedEdge {
  readonly #connection: HttpConnection;

  private constructor(connection: HttpConnection) {
    this.#connection = connection;
  }

  static async open(port: number): Promise<WatchedEdge> {
    return new WatchedEdge(await HttpConnection.open(port));
  }

  /**
   * Runs auctions until `times` of them in a row have the outcome; answers the time of the last response, by this
   * process's `performance.now()`.
   */
  async until(outcome: Outcome, request: () => Buffer, times = 1): Promise<number> {
    const giveUpMs = performance.now() + GIVE_UP_AFTER_MS;
    for (let inARow = 0; ; ) {
      const { status } = await this.#connection.ask(request());
      const answeredMs = performance.now();
      inARow = OUTCOMES[status] === outcome ? inARow + 1 : 0;
      if (inARow === times) return answeredMs;
      if (answeredMs > giveUpMs) throw new Error(`no auction was ${outcome}; the last was answered ${status}`);
    }
  }

  close(): void {
    this.#connection.close();
  }
}
