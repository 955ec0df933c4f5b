import { bidRequestOf, type SeedRequest } from './bid-requests.ts';
import type { SeedPublisher } from './make-market.ts';

/** What has become of the ad requests so far. */
export interface TrafficCounts {
  requests: number;
  sold: number;
  rendered: number;
  viewed: number;
  /** Requests and notices that were not answered, or refused. */
  failed: number;
  /** What the rendered ads cost, USD. */
  usd: number;
}

export interface TrafficOptions {
  readonly edgeUrl: string;
  readonly publishers: readonly SeedPublisher[];
  /** Ad requests a second. */
  readonly rate: number;
  readonly signal: AbortSignal;
  readonly random?: () => number;
}

/** Shares of what is sold that is rendered, and of what is rendered that is viewed. */
const RENDERED = 0.85;
const VIEWED = 0.7;
/** A request that is due while so many are under way is left out: the exchange is slower than the rate. */
const AT_ONCE = 200;
const ANSWER_MS = 5_000;

interface Bid {
  readonly price: number;
  readonly burl: string;
}

/**
 * Sends ad requests at a rate until the signal ends it, as the servers of publishers do; what is sold is billed by the
 * call of its `burl`, and viewed by reports of its tracking query.
 * @returns the counts, once nothing is under way
 */
export async function sendTraffic(
  { edgeUrl, publishers, rate, signal, random = Math.random }: TrafficOptions,
  counts: TrafficCounts,
): Promise<TrafficCounts> {
  const underWay = new Set<Promise<void>>();
  const startedAtMs = performance.now();
  let due = 0;
  const send = () => {
    const publisher = publishers[Math.floor(random() * publishers.length)]!;
    const one = serve(edgeUrl, bidRequestOf(publisher, random), counts, random)
      .catch(() => void counts.failed++)
      .finally(() => underWay.delete(one));
    underWay.add(one);
  };
  while (!signal.aborted) {
    const wanted = Math.floor(((performance.now() - startedAtMs) / 1_000) * rate) + 1;
    for (; due < wanted; due++) if (underWay.size < AT_ONCE) send();
    await pause(1_000 / rate, signal);
  }
  await Promise.all(underWay);
  return counts;
}

async function serve(
  edgeUrl: string,
  { body, userAgent }: SeedRequest,
  counts: TrafficCounts,
  random: () => number,
): Promise<void> {
  counts.requests++;
  const response = await call(`${edgeUrl}/rtb`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status === 204) return;
  if (response.status !== 200) throw new Error(`the ad request was answered ${response.status}`);
  const answer = (await response.json()) as { readonly seatbid: readonly { readonly bid: readonly Bid[] }[] };
  for (const { price, burl } of answer.seatbid.flatMap(({ bid }) => bid)) {
    counts.sold++;
    if (random() >= RENDERED) continue;
    await accepted(call(burl, { headers: { 'User-Agent': userAgent } }));
    counts.rendered++;
    counts.usd += price / 1_000;
    if (random() >= VIEWED) continue;
    const query = new URL(burl).search.slice(1);
    for (const event of ['measurable', 'viewable']) {
      const report = `${edgeUrl}/track/view?event=${event}&${query}`;
      await accepted(call(report, { method: 'POST', headers: { 'User-Agent': userAgent } }));
    }
    counts.viewed++;
  }
}

function call(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
}

async function accepted(calling: Promise<Response>): Promise<void> {
  const response = await calling;
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the edge answered ${response.status}`);
}

/** Resolves after `ms`, or at once when the signal ends. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
