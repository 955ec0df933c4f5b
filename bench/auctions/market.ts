import { HttpConnection } from '../http/connection.ts';
import type { ExchangeProcess } from '../processes/exchange.ts';
import { adRequest, bidOf, posted } from './documents.ts';

const REACHES_THE_AUCTION_WITHIN_MS = 10_000;

/**
 * Creates a pool with one publisher whose traffic goes to a demand source on each of the ports. Answers the id of the
 * publisher once all of them take part in its auctions.
 */
export async function createMarket(
  exchange: ExchangeProcess,
  name: string,
  bidderPorts: readonly number[],
  protocol: 'http' | 'https' = 'http',
): Promise<string> {
  const pool = await exchange.call<{ id: string }>('POST', '/api/supply/pools', { name });
  const publisher = await exchange.call<{ id: string }>('POST', '/api/supply/sources', {
    name,
    domain: 'com.example.puzzle',
    type: 'mobile',
    pool_id: pool.id,
  });
  for (const [index, port] of bidderPorts.entries()) {
    const dsp = await exchange.call<{ id: string }>('POST', '/api/demand/sources', {
      name: `${name} ${index}`,
      mode: 'rtb',
      endpoint_url: `${protocol}://127.0.0.1:${port}/bid`,
    });
    await exchange.call('POST', `/api/demand/sources/${dsp.id}/pools/${pool.id}`);
  }
  await traded(exchange, publisher.id, bidderPorts.length);
  return publisher.id;
}

/** Waits until the last bidder wins: it bids the most, and the edge learns of the others before it. */
async function traded(exchange: ExchangeProcess, publisherId: string, bidders: number): Promise<void> {
  const next = posted('/rtb', adRequest(publisherId));
  const connection = await HttpConnection.open(exchange.edgePort);
  const deadlineMs = performance.now() + REACHES_THE_AUCTION_WITHIN_MS;
  try {
    for (;;) {
      const { status, body } = await connection.ask(next());
      const price = status === 200 ? JSON.parse(body.toString()).seatbid[0].bid[0].price : null;
      if (price === bidOf(bidders - 1)) return;
      if (performance.now() > deadlineMs) throw new Error(`an auction ended with status ${status}, price ${price}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    connection.close();
  }
}
