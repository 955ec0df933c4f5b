import { adRequest, bidOf, posted } from '../auctions/documents.ts';
import type { ApiClient } from '../http/api-client.ts';

type Made = { readonly id: string };

/** A publisher in a pool that a bidder subscribes to, and a pool without subscribers. */
export interface Market {
  readonly pool: string;
  readonly emptyPool: string;
  readonly dsp: string;
  readonly publisher: string;
  /** A publisher whose only buyer is a delegate. */
  readonly delegated: string;
  readonly delegate: string;
}

/** A floor above all bids. */
export const TOO_HIGH_CPM = bidOf(0) * 2;

export async function createPropagationMarket(client: ApiClient, bidderPort: number): Promise<Market> {
  const make = async (path: string, body: object) => (await client.ask<Made>('POST', path, body)).body.id;
  const pool = await make('/api/supply/pools', { name: 'Pool with a buyer' });
  const emptyPool = await make('/api/supply/pools', { name: 'Pool without' });
  const endpoint = `http://127.0.0.1:${bidderPort}/bid`;
  const dsp = await make('/api/demand/sources', { name: 'Buyer', mode: 'rtb', endpoint_url: endpoint });
  await client.ask('POST', `/api/demand/sources/${dsp}/pools/${pool}`);
  const delegatePool = await make('/api/supply/pools', { name: 'Pool with a delegate' });
  const delegate = await make('/api/demand/sources', { name: 'Delegate', mode: 'delegate' });
  await client.ask('POST', `/api/demand/sources/${delegate}/pools/${delegatePool}`);
  const [publisher, delegated] = [await makePublisher(client, pool), await makePublisher(client, delegatePool)];
  return { pool, emptyPool, dsp, publisher, delegated, delegate };
}

let publishers = 0;

export function makePublisher(client: ApiClient, pool: string): Promise<string> {
  const body = { name: `Publisher ${++publishers}`, domain: 'com.example.puzzle', type: 'mobile', pool_id: pool };
  return client.ask<Made>('POST', '/api/supply/sources', body).then(({ body: { id } }) => id);
}

/** Makes ad requests of a publisher. */
export function auctionsOf(publisherId: string): () => Buffer {
  return posted('/rtb', adRequest(publisherId));
}
