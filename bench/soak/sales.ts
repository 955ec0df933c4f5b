import { HttpConnection } from '../http/connection.ts';
import { getOf } from '../impressions/tracking-calls.ts';

/** Connections of the callers; each has one call at a time. */
const CONNECTIONS = 16;

export interface Sales {
  readonly auctions: number;
  readonly sold: number;
  readonly seconds: number;
}

/**
 * Holds auctions, `perSecond` of them (infinite: as many as are served), and calls the pixel of each sale at once, until
 * `endMs` (monotonic). Requests leave when they are due, or as soon as a connection is free.
 */
export async function sell(port: number, next: () => Buffer, perSecond: number, endMs: number): Promise<Sales> {
  const startedMs = performance.now();
  let auctions = 0;
  let sold = 0;
  const oneAfterAnother = async (): Promise<void> => {
    const connection = await HttpConnection.open(port);
    for (;;) {
      const waitMs = startedMs + (auctions * 1_000) / perSecond - performance.now();
      auctions++;
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (performance.now() >= endMs) break;
      const { status, body } = await connection.ask(next());
      if (status !== 200) continue;
      await connection.ask(getOf(JSON.parse(body.toString()).seatbid[0].bid[0].burl));
      sold++;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, oneAfterAnother));
  return { auctions: auctions - CONNECTIONS, sold, seconds: (performance.now() - startedMs) / 1_000 };
}
