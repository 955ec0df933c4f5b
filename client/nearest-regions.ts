import type { Caller } from './caller.ts';

/** A region as the exchange lists it. */
interface ListedRegion {
  readonly code: 'fra' | 'nyc' | 'lon';
  readonly url: string;
  readonly ping_url: string;
}

/** A region with edges, and how far they are from here. */
export interface MeasuredRegion {
  /** `fra`, `nyc`, `lon`. */
  readonly code: ListedRegion['code'];
  /** What ad requests to its edges begin with, without a slash at its end. */
  readonly url: string;
  /** The median round trip on an open connection, in ms; null where the region did not answer. */
  readonly roundTripMs: number | null;
}

export interface NearestRegionsOptions {
  /** What was measured up to so many ms ago is answered again; an hour by default, 0 to measure now. */
  readonly maxAgeMs?: number | undefined;
}

const HOUR_MS = 3_600_000;
/** Round trips that are counted; the one before them opens the connection. */
const ROUND_TRIPS = 3;
/** ms after which a region does not answer. */
const PING_MS = 2_000;

/** Measures how far the regions of an exchange are, and remembers it in memory. */
export class RegionRanking {
  readonly #caller: Caller;
  #ranked: Promise<readonly MeasuredRegion[]> | null = null;
  #rankedAtMs = 0;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Resolves with all regions, the nearest first and those that did not answer last. */
  nearest({ maxAgeMs = HOUR_MS }: NearestRegionsOptions = {}): Promise<readonly MeasuredRegion[]> {
    if (this.#ranked !== null && performance.now() - this.#rankedAtMs < maxAgeMs) return this.#ranked;
    const measuring = this.#measure();
    const forget = () => {
      if (this.#ranked === measuring) this.#ranked = null;
    };
    this.#ranked = measuring;
    this.#rankedAtMs = performance.now();
    // A measurement that no region answered says nothing of where they are.
    measuring.then((regions) => regions.every(({ roundTripMs }) => roundTripMs === null) && forget(), forget);
    return measuring;
  }

  async #measure(): Promise<readonly MeasuredRegion[]> {
    const { data } = await this.#caller.call('GET', '/api/regions');
    const { regions } = data as { readonly regions: readonly ListedRegion[] };
    const measured = await Promise.all(
      regions.map(async ({ code, url, ping_url: pingUrl }) => ({
        code,
        url,
        roundTripMs: await this.#roundTripMs(pingUrl).catch(() => null),
      })),
    );
    const distance = ({ roundTripMs }: MeasuredRegion) => roundTripMs ?? Number.POSITIVE_INFINITY;
    return measured.sort((one, other) => (distance(one) === distance(other) ? 0 : distance(one) - distance(other)));
  }

  /** Rejects where the region does not answer. */
  async #roundTripMs(pingUrl: string): Promise<number> {
    const ask = this.#caller.options.fetch ?? ((request: Request) => fetch(request));
    const counted: number[] = [];
    for (let trip = 0; trip <= ROUND_TRIPS; trip++) {
      const request = new Request(pingUrl, { credentials: 'omit', signal: AbortSignal.timeout(PING_MS) });
      const startedMs = performance.now();
      const response = await ask(request);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${pingUrl} answered ${response.status}`);
      if (trip > 0) counted.push(performance.now() - startedMs);
    }
    return counted.sort((one, other) => one - other)[Math.floor(ROUND_TRIPS / 2)]!;
  }
}
