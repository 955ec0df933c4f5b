import { setTimeout as pause } from 'node:timers/promises';
import { bannerRequest } from '../../support/edge.ts';
import { callJson } from '../../support/exchange.ts';

/** What one won imp must come to in the books. */
export interface Rendered {
  readonly publisherId: string;
  readonly dspId: string;
  /** Micro-dollars CPM: nano-dollars for the one impression. */
  readonly priceCpmMicros: number;
}

/**
 * What was not shown so long after its auction is not shown any more: on a slow machine it might expire while it is
 * called.
 */
const SHOWN_WITHIN_MS = 5_000;
const CALL_WITHIN_MS = 30_000;
/** An edge that says nothing for so long is asked no more; what it may have done is unknown, and asked again. */
const ANSWER_WITHIN_MS = 15_000;
const REPEAT_ONE_IN = 6;
const FORGE_ONE_IN = 8;
/** Of one auction: several sales of one request, each with a tracking id of its own. */
const IMPS = 6;

export interface RendererOptions {
  /** A tracking URL must be answered 200 within it. */
  readonly callWithinMs?: number;
  /** Between two auctions of a lane. */
  readonly pauseMs?: number;
  /** Called at each answer. */
  readonly answered?: (what: 'ad' | 'impression') => void;
  /** Called when an edge has answered 200 to a genuine tracking URL, less the edge. */
  readonly acknowledged?: (url: string, edge: string) => void;
}

/**
 * A publisher's servers and the devices behind them: hold auctions at one edge or the other, call each tracking URL
 * until some edge answers 200, call some of them again, and some that are forged. It keeps a count of its own.
 */
export class Renderer {
  /** By tracking URL, less the edge: those that were answered 200. */
  readonly rendered = new Map<string, Rendered>();
  repeats = 0;
  forgeries = 0;
  /** Sold and not yet rendered, as their tracking URLs: kept back by `holdBack`. */
  readonly #held: { readonly burl: string; readonly price: number }[] = [];
  #toHold = 0;
  #edges: readonly string[];
  readonly #publishers: readonly string[];
  readonly #options: RendererOptions;
  #requests = 0;
  #calls = 0;

  constructor(edges: readonly string[], publishers: readonly string[], options: RendererOptions = {}) {
    this.#edges = edges;
    this.#publishers = publishers;
    this.#options = options;
  }

  /** The edges that are called from now on; calls that are under way may still end elsewhere. */
  useEdges(edges: readonly string[]): void {
    this.#edges = edges;
  }

  /** Works in so many lanes until it is over. */
  async render(lanes: number, over: () => boolean): Promise<void> {
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        while (!over()) await this.#auction();
      }),
    );
  }

  /** Calls a share of all that was rendered once more. */
  async renderAgain(everyNth: number): Promise<void> {
    const urls = [...this.rendered.keys()].filter((_, index) => index % everyNth === 0);
    this.repeats += urls.length;
    for (let at = 0; at < urls.length; at += 10) {
      await Promise.all(urls.slice(at, at + 10).map((url) => this.#call(url)));
    }
  }

  /**
   * Renders nothing of the next `count` sales; resolves with them when there are so many. Auctions must be going on.
   */
  async holdBack(count: number): Promise<readonly { readonly burl: string; readonly price: number }[]> {
    this.#toHold += count;
    while (this.#held.length < count) await pause(10);
    return this.#held.splice(0, count);
  }

  /** Renders what was held back, at whatever edge answers. */
  async renderHeld(held: readonly { readonly burl: string; readonly price: number }[]): Promise<void> {
    for (const { burl, price } of held) await this.#render(burl, price);
  }

  /** Calls what was held back for too long: it is answered 200 as everything is, and must not be billed. */
  async callExpired(held: readonly { readonly burl: string }[]): Promise<void> {
    for (const { burl } of held) {
      const { pathname, search } = new URL(burl);
      await this.#call(pathname + search);
    }
  }

  async #auction(): Promise<void> {
    const number = ++this.#requests;
    const request = bannerRequest({
      id: `request-${number}`,
      imp: Array.from({ length: IMPS }, (_, imp) => ({ id: `${imp + 1}`, banner: { w: 300, h: 250 } })),
      site: { id: this.#publishers[number % this.#publishers.length], page: 'https://site.test/' },
    });
    // An edge that does not answer has sold nothing: without its answer nothing can be rendered.
    const answer = await callJson('POST', `${this.#anyEdge()}/rtb`, request).catch(() => null);
    if (answer?.status !== 200) {
      await pause(20);
      return;
    }
    this.#options.answered?.('ad');
    const since = performance.now();
    for (const { bid } of answer.body.seatbid) {
      for (const { burl, price } of bid as { burl: string; price: number }[]) {
        if (this.#toHold > 0) {
          this.#toHold -= 1;
          this.#held.push({ burl, price });
        } else if (performance.now() - since < SHOWN_WITHIN_MS) await this.#render(burl, price);
      }
    }
    if (this.#options.pauseMs !== undefined) await pause(this.#options.pauseMs);
  }

  async #render(burl: string, price: number): Promise<void> {
    const { pathname, search, searchParams } = new URL(burl);
    const url = pathname + search;
    if (this.#one(FORGE_ONE_IN)) {
      this.forgeries++;
      await this.#call(url.replace(/([?&]price=)\d+/, '$19999999'), true);
      await this.#call(`${url.slice(0, -4)}AAAA`, true);
    }
    await this.#call(url);
    this.rendered.set(url, {
      publisherId: searchParams.get('pub')!,
      dspId: searchParams.get('dsp')!,
      priceCpmMicros: Math.round(price * 1_000_000),
    });
    if (this.#one(REPEAT_ONE_IN)) {
      this.repeats++;
      await this.#call(url);
    }
  }

  /** Resolves when some edge has answered 200. */
  async #call(url: string, isForged = false): Promise<void> {
    const since = performance.now();
    for (;;) {
      const edge = this.#anyEdge();
      const answer = await fetch(`${edge}${url}`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
        .then(async (response) => ({ status: response.status, bytes: (await response.arrayBuffer()).byteLength }))
        .catch(() => null);
      if (answer?.status === 200) {
        if (answer.bytes !== 43) throw new Error(`${url} was answered with ${answer.bytes} bytes`);
        this.#options.answered?.('impression');
        if (!isForged) this.#options.acknowledged?.(url, edge);
        return;
      }
      if (performance.now() - since > (this.#options.callWithinMs ?? CALL_WITHIN_MS)) {
        throw new Error(`${url} was never answered 200, last ${answer?.status ?? 'not at all'}`);
      }
      await pause(20);
    }
  }

  #anyEdge(): string {
    return this.#edges[++this.#calls % this.#edges.length]!;
  }

  #one(inN: number): boolean {
    return Math.random() * inN < 1;
  }
}
