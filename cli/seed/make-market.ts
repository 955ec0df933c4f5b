import { type ExchangeClient, ExchangeError } from '#client/index';
import { BUYER, POOLS, PUBLISHERS, strategyOf } from './market.ts';

/** A publisher of the market, as ad requests name it. */
export interface SeedPublisher {
  readonly id: string;
  readonly domain: string;
  readonly type: (typeof PUBLISHERS)[number]['type'];
}

export interface Market {
  readonly publishers: readonly SeedPublisher[];
  /** What was made now; the rest was there. */
  readonly made: readonly string[];
}

/**
 * Makes what is missing of the market. Names are unique among what an account has not archived, so nothing is made
 * twice; what a run that was cut off has left undone, the next one does.
 */
export async function makeMarket(client: ExchangeClient): Promise<Market> {
  const made: string[] = [];
  const sources = new Map<string, string>();
  for await (const { id, name, status } of client.iterate('/api/demand/sources'))
    if (status !== 'archived') sources.set(name, id);
  const poolIds = await makePools(client, made);
  const publishers = await makePublishers(client, poolIds, made);
  const buyerId = await makeBuyer(client, sources, made);
  for (const [at, { buyers }] of POOLS.entries()) {
    const ids = buyers.flatMap((name) => sources.get(name) ?? []);
    for (const id of [...ids, buyerId]) await subscribe(client, id, poolIds[at]!);
  }
  return { publishers, made };
}

async function makePools(client: ExchangeClient, made: string[]): Promise<string[]> {
  const found = new Map<string, string>();
  const { data } = await client.get('/api/supply/pools');
  for (const { id, name } of data.pools) found.set(name, id);
  const ids: string[] = [];
  for (const { name, floor_price_cpm } of POOLS) {
    const known = found.get(name);
    if (known === undefined) made.push(name);
    ids.push(known ?? (await client.post('/api/supply/pools', { body: { name, floor_price_cpm } })).data.id);
  }
  return ids;
}

async function makePublishers(
  client: ExchangeClient,
  poolIds: readonly string[],
  made: string[],
): Promise<SeedPublisher[]> {
  const found = new Map<string, string>();
  for await (const { id, name, status } of client.iterate('/api/supply/sources'))
    if (status !== 'archived') found.set(name, id);
  const publishers: SeedPublisher[] = [];
  for (const { pool, ...fields } of PUBLISHERS) {
    const known = found.get(fields.name);
    if (known === undefined) made.push(fields.name);
    const body = { ...fields, pool_id: poolIds[pool]!, sandbox: true };
    const id = known ?? (await client.post('/api/supply/sources', { body })).data.id;
    publishers.push({ id, domain: fields.domain, type: fields.type });
  }
  return publishers;
}

async function makeBuyer(
  client: ExchangeClient,
  sources: ReadonlyMap<string, string>,
  made: string[],
): Promise<string> {
  const known = sources.get(BUYER);
  if (known !== undefined && (await hasStrategy(client, known))) return known;
  const body = { name: BUYER, mode: 'delegate' as const, sandbox: true };
  const id: string = known ?? (await client.post('/api/demand/sources', { body })).data.id;
  await client.put('/api/demand/sources/{id}/strategy', { params: { path: { id } }, body: strategyOf(id) });
  made.push(BUYER);
  return id;
}

async function hasStrategy(client: ExchangeClient, id: string): Promise<boolean> {
  try {
    await client.get('/api/demand/sources/{id}/strategy', { params: { path: { id } } });
    return true;
  } catch (error) {
    if (error instanceof ExchangeError && error.status === 404) return false;
    throw error;
  }
}

async function subscribe(client: ExchangeClient, id: string, poolId: string): Promise<void> {
  const params = { path: { id, pool_id: poolId } };
  await client.post('/api/demand/sources/{id}/pools/{pool_id}', { params });
}
