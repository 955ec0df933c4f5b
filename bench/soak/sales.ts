import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { adRequest, posted } from '../auctions/documents.ts';
import { createMarket } from '../auctions/market.ts';
import { HttpConnection } from '../http/connection.ts';
import { getOf } from '../impressions/tracking-calls.ts';
import { startChild } from '../processes/child.ts';
import { MEASURED_CORE, OTHER_CORE } from '../processes/cores.ts';
import { type ExchangeProcess, startExchange } from '../processes/exchange.ts';

const BIDDERS = 2;
/** Connections of the callers; each has one call at a time. */
const CONNECTIONS = 16;

/** An exchange on Redis, with a publisher and bidders in a process of their own. */
export interface SellingExchange {
  readonly exchange: ExchangeProcess;
  readonly redis: Redis;
  /** What the names of all its keys begin with. */
  readonly prefix: string;
  /** Makes the next ad request. */
  readonly next: () => Buffer;
}

/** Starts an exchange on Redis, hands it to `measure`, and ends all of it whatever becomes of that. */
export async function withSellingExchange<T>(
  redisUrl: string,
  environment: Record<string, string>,
  measure: (selling: SellingExchange) => Promise<T>,
): Promise<T> {
  const prefix = `bench-${randomUUID()}`;
  const redis = new Redis(redisUrl);
  const bidding = startChild<{ ports: number[] }>(OTHER_CORE, 'auctions/bidders-process.js', { bidders: BIDDERS });
  let exchange: ExchangeProcess | null = null;
  try {
    const { ports } = await bidding.next();
    exchange = await startExchange(MEASURED_CORE, { REDIS_URL: redisUrl, REDIS_PREFIX: prefix, ...environment });
    const next = posted('/rtb', adRequest(await createMarket(exchange, 'sales', ports)));
    return await measure({ exchange, redis, prefix, next });
  } finally {
    await exchange?.stop();
    await bidding.stop();
    redis.disconnect();
  }
}

export interface Sales {
  readonly auctions: number;
  readonly sold: number;
  readonly seconds: number;
}

/**
 * Holds auctions, `perSecond` of them (infinite: as many as are served), and calls the pixel of each sale at once,
 * until `endMs` (monotonic). Requests leave when they are due, or as soon as a connection is free.
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
