import type { ApiClient } from '../http/api-client.ts';
import { HttpConnection } from '../http/connection.ts';
import { getOf } from '../impressions/tracking-calls.ts';
import type { ProbedPair } from './market.ts';

/** The pause between two reads of a report: the delay is measured so much too long at most. */
const READ_EVERY_MS = 100;
/** Nothing may take longer than the bound at any load, and twice that ends the measurement, ms. */
const GIVE_UP_AFTER_MS = 120_000;

/** What a report shows, and from when it is waited for. */
export const SHOWN = {
  impression: 'an impression in its publisher’s report, from the answer to its pixel',
  auction: 'an auction in its publisher’s report, from its answer',
  bid: 'a bid in its campaign’s report, from the auction’s answer',
} as const;
export type Shown = keyof typeof SHOWN;

type Delays = Readonly<Record<Shown, number[]>>;

export function noDelays(): Delays {
  return { impression: [], auction: [], bid: [] };
}

/**
 * Sells one ad after the other of a pair until `endMs` (monotonic), and reads the reports after each until all of it is
 * in them. Adds the delays, ms.
 */
export async function probe(
  edgePort: number,
  client: ApiClient,
  pair: ProbedPair,
  endMs: number,
  delays: Delays,
): Promise<void> {
  const connection = await HttpConnection.open(edgePort);
  try {
    const counted: Counted = { auctions: 0, sold: 0 };
    while (performance.now() < endMs) {
      // Not in step with what is flushed or saved each second.
      await pause(Math.random() * 1_000);
      const { auctionMs, pixelMs } = await sellOne(connection, pair, counted);
      const { auctions, sold } = counted;
      await Promise.all([
        shown(
          client,
          `/api/metrics/publisher/${pair.publisherId}?period=1h`,
          {
            impression: { sinceMs: pixelMs, by: ({ impressions }) => impressions >= sold },
            auction: { sinceMs: auctionMs, by: ({ bid_requests: seen }) => seen >= auctions },
          },
          delays,
        ),
        shown(
          client,
          `/api/campaigns/${pair.campaignId}/performance?period=1h`,
          {
            bid: { sinceMs: auctionMs, by: ({ bids }) => bids >= sold },
          },
          delays,
        ),
      ]);
    }
  } finally {
    connection.close();
  }
}

/** The auctions of a pair so far, and those with a bid, which all won. */
interface Counted {
  auctions: number;
  sold: number;
}

interface Answered {
  readonly auctionMs: number;
  readonly pixelMs: number;
}

/** Asks until there is an ad, since an overloaded edge refuses some requests, and shows it. */
async function sellOne(connection: HttpConnection, pair: ProbedPair, counted: Counted): Promise<Answered> {
  const giveUpMs = performance.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    const { status, body } = await connection.ask(pair.next());
    const auctionMs = performance.now();
    if (status === 200 || status === 204) counted.auctions += 1;
    if (status === 200) {
      counted.sold += 1;
      const pixel = await connection.ask(getOf(JSON.parse(body.toString()).seatbid[0].bid[0].burl));
      if (pixel.status !== 200) throw new Error(`a pixel was answered ${pixel.status}`);
      return { auctionMs, pixelMs: performance.now() };
    }
    if (auctionMs > giveUpMs) throw new Error(`an auction was answered ${status}`);
    await pause(20);
  }
}

type Figures = Readonly<Record<'impressions' | 'bid_requests' | 'bids', number>>;
interface Awaited {
  readonly sinceMs: number;
  readonly by: (figures: Figures) => boolean;
}

/** Reads a report until everything is in it. */
async function shown(
  client: ApiClient,
  path: string,
  awaited: Partial<Record<Shown, Awaited>>,
  delays: Delays,
): Promise<void> {
  const left = new Map(Object.entries(awaited) as [Shown, Awaited][]);
  const giveUpMs = performance.now() + GIVE_UP_AFTER_MS;
  while (left.size > 0) {
    const { body, answeredMs } = await client.ask<Figures>('GET', path);
    for (const [what, { sinceMs, by }] of left) {
      if (!by(body)) continue;
      delays[what].push(answeredMs - sinceMs);
      left.delete(what);
    }
    if (answeredMs > giveUpMs) throw new Error(`${[...left.keys()]} did not come to ${path}: ${JSON.stringify(body)}`);
    if (left.size > 0) await pause(READ_EVERY_MS);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
