import { setTimeout as pause } from 'node:timers/promises';
import { bannerRequest } from '../../support/edge.ts';
import { callJson } from '../../support/exchange.ts';

const IMPS = 3;
const CALL_WITHIN_MS = 30_000;

/** What was sold and rendered of one publisher's inventory: nano-dollars. */
export interface PublisherTotals {
  readonly publisherId: string;
  billedNanos: number;
  impressions: number;
  highestNanos: number;
}

/**
 * Publishers' servers and viewers behind them, at several edges: sell as fast as they can, show all that is sold, each
 * of it somewhere, some of it twice. Keeps its own count of what must come to be billed.
 */
export class Traffic {
  readonly #edges: string[];
  #requests = 0;
  #calls = 0;

  constructor(edges: readonly string[]) {
    this.#edges = [...edges];
  }

  /** Is sent no more requests; what it has sold is shown elsewhere. */
  leave(edge: string): void {
    this.#edges.splice(this.#edges.indexOf(edge), 1);
  }

  /**
   * Until enough was sold and nothing more in the `quietMs` since. Gives up after `withinMs`, however slow the machine
   * is: what was sold by then tells.
   */
  async sellOut(
    till: PublisherTotals,
    isEnough: (billedNanos: number) => boolean,
    { lanes, quietMs, withinMs }: { lanes: number; quietMs: number; withinMs: number },
  ): Promise<void> {
    const beganAtMs = performance.now();
    let soldAtMs = beganAtMs;
    const isOver = (nowMs: number) =>
      nowMs - beganAtMs >= withinMs || (isEnough(till.billedNanos) && nowMs - soldAtMs >= quietMs);
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        while (!isOver(performance.now())) {
          const before = till.impressions;
          await this.#auction(till);
          if (till.impressions > before) soldAtMs = performance.now();
          else await pause(20);
        }
      }),
    );
  }

  async #auction(till: PublisherTotals): Promise<void> {
    const request = bannerRequest({
      id: `${till.publisherId}-${++this.#requests}`,
      imp: Array.from({ length: IMPS }, (_, imp) => ({ id: `${imp + 1}`, banner: { w: 300, h: 250 } })),
      site: { id: till.publisherId, page: 'https://site.test/' },
    });
    // An edge that does not answer has sold nothing: without its answer nothing can be rendered.
    const answer = await callJson('POST', `${this.#anyEdge()}/rtb`, request).catch(() => null);
    if (answer?.status !== 200) return;
    for (const { bid } of answer.body.seatbid) {
      for (const { burl, price } of bid as { burl: string; price: number }[]) await this.#render(till, burl, price);
    }
  }

  async #render(till: PublisherTotals, burl: string, price: number): Promise<void> {
    const { pathname, search } = new URL(burl);
    await this.#call(pathname + search);
    const nanos = Math.round(price * 1_000_000);
    till.billedNanos += nanos;
    till.impressions += 1;
    till.highestNanos = Math.max(till.highestNanos, nanos);
    if (till.impressions % 5 === 0) await this.#call(pathname + search);
  }

  /** Resolves when some edge has answered 200. */
  async #call(path: string): Promise<void> {
    const since = performance.now();
    for (;;) {
      const answer = await fetch(`${this.#anyEdge()}${path}`).catch(() => null);
      await answer?.arrayBuffer().catch(() => null);
      if (answer?.status === 200) return;
      if (performance.now() - since > CALL_WITHIN_MS) throw new Error(`${path} was never answered 200`);
      await pause(20);
    }
  }

  #anyEdge(): string {
    return this.#edges[++this.#calls % this.#edges.length]!;
  }
}
