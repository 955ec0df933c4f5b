/** A region's code and what URLs of its edges begin with, with a slash at the end. */
export type RegionEdges = readonly [code: string, url: string];

/** What the choice needs of the page; nothing here touches the page itself. */
export interface PagePorts {
  fetch(url: string, init: PageRequest): Promise<Response>;
  /** Monotonic ms, for round trips. */
  monotonic(): number;
  /** ms since the epoch, for how long a choice is remembered. */
  now(): number;
  /** Calls back after `ms`, or earlier where that is cancelled. */
  after(ms: number, fire: () => void): () => void;
  /** Calls back when the page has nothing else to do. */
  whenIdle(fire: () => void): void;
  /** The storage of the page's own origin. This and what it answers may throw. */
  storage(): Storage;
}

/** As in the DOM, of which this module knows nothing. */
interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

type PageRequest = RequestInit & { readonly signal: AbortSignal };

/** Round trips of a region that are counted; the one before them opens the connection. */
const ROUND_TRIPS = 3;
/** ms after which a region that was pinged does not answer. */
const PING_MS = 2_000;
/** ms after which an ad is requested of the next region. An auction takes less than a second. */
const NO_ANSWER_MS = 3_000;
const REMEMBERED_MS = 86_400_000;

/** Sends requests to the nearest region that answers. */
export interface NearestRegion {
  /**
   * Fetches `path` from the nearest region that answers; a refusal is an answer. Resolves with the region's URL beside
   * it, to which all else about this ad goes. Rejects as the last region did.
   */
  fetch(path: string, init: RequestInit, mayStore: boolean): Promise<{ response: Response; edgeUrl: string }>;
  /** Measures all regions, when the page is idle, if this page has not done so. */
  measure(mayStore: boolean): void;
}

/**
 * The first request goes to `served`, the edge that the tag came from, unless an earlier page has measured. The regions
 * are measured after it, when the page is idle, once for a page, and the requests from then on go to the nearest. What
 * was measured is remembered for a day where the viewer's choices allow storage. A region that does not answer gives
 * way to the next one. Without two regions there is nothing to choose.
 */
export function nearestRegion(served: string, regions: readonly RegionEdges[], page: PagePorts): NearestRegion {
  const key = `adExchange.regions ${served}`;
  /** URLs by distance, the nearest first; those that are not here come after them. */
  let nearest: readonly string[] = [];
  let hasMeasured = regions.length < 2;

  /** Answers the URLs of all regions in the order in which they are tried, each once. */
  const order = () => [...new Set([...nearest, served, ...regions.map(([, url]) => url)])];

  /** Takes up what an earlier page has measured. Where the viewer's choices forbid storage it is removed unread. */
  const recall = (mayStore: boolean): void =>
    store((storage) => {
      if (!mayStore) {
        storage.removeItem(key);
        return;
      }
      const [codes = '', until] = (storage.getItem(key) ?? '').split(' ');
      const leftMs = Number(until) - page.now();
      if (!(leftMs > 0 && leftMs <= REMEMBERED_MS)) return;
      const urls = new Map(regions);
      nearest = codes.split(',').flatMap((code) => urls.get(code) ?? []);
      hasMeasured = nearest.length > 0;
    });

  const store = (use: (storage: Storage) => void): void => {
    try {
      use(page.storage());
    } catch {
      // Storage that is full or forbidden: what was measured holds for this page.
    }
  };

  /** Rejects where no answer begins within `withinMs`; 0: however long that takes. */
  const ask = async (url: string, init: object, withinMs: number): Promise<Response> => {
    const giveUp = new AbortController();
    const cancel = withinMs > 0 && page.after(withinMs, () => giveUp.abort());
    try {
      return await page.fetch(url, { ...init, signal: giveUp.signal });
    } finally {
      if (cancel) cancel();
    }
  };

  /** Answers the median in ms; `PING_MS` for a region that does not answer. */
  const roundTripMs = async (url: string): Promise<number> => {
    const counted: number[] = [];
    try {
      for (let trip = 0; trip <= ROUND_TRIPS; trip++) {
        const startedMs = page.monotonic();
        const { ok } = await ask(url, { credentials: 'omit', cache: 'no-store' }, PING_MS);
        if (!ok) return PING_MS;
        if (trip > 0) counted.push(page.monotonic() - startedMs);
      }
    } catch {
      return PING_MS;
    }
    return counted.sort((one, other) => one - other)[ROUND_TRIPS >> 1]!;
  };

  const measureAll = async (mayStore: boolean): Promise<void> => {
    const measured = await Promise.all(
      regions.map(async ([code, url]) => ({ code, url, ms: await roundTripMs(`${url}ping`) })),
    );
    const ranked = measured.filter(({ ms }) => ms < PING_MS).sort((one, other) => one.ms - other.ms);
    if (ranked.length === 0) return;
    nearest = ranked.map(({ url }) => url);
    const codes = ranked.map(({ code }) => code).join();
    if (mayStore) store((storage) => storage.setItem(key, `${codes} ${page.now() + REMEMBERED_MS}`));
  };

  return {
    async fetch(path, init, mayStore) {
      if (!hasMeasured) recall(mayStore);
      for (const untried = order(); ; ) {
        const edgeUrl = untried.shift()!;
        const isLast = untried.length === 0;
        try {
          return { response: await ask(edgeUrl + path, init, isLast ? 0 : NO_ANSWER_MS), edgeUrl };
        } catch (error) {
          nearest = [...order().filter((url) => url !== edgeUrl), edgeUrl];
          store((storage) => storage.removeItem(key));
          if (isLast) throw error;
        }
      }
    },
    measure(mayStore) {
      if (hasMeasured) return;
      hasMeasured = true;
      page.whenIdle(() => void measureAll(mayStore));
    },
  };
}
