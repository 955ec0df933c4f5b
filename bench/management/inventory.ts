import type { ApiClient } from '../http/api-client.ts';

/** The ids of resources in the exchange that may be changed. */
export interface Inventory {
  readonly sources: string[];
  readonly pools: string[];
  readonly dsps: string[];
}

type Made = { readonly id: string };

const IN_FLIGHT = 64;
const POOLS = 100;
const DSPS = 20;
let names = 0;

/** A new name, since names are unique in an account. */
function newName(what: string): string {
  return `${what} ${++names}`;
}

export function newSource(poolId: string): object {
  return { name: newName('source'), domain: 'games.example', type: 'mobile', pool_id: poolId, floor_price_cpm: 0.5 };
}

export function newPool(): object {
  return { name: newName('pool'), description: 'Where supply meets demand.' };
}

export function newDsp(): object {
  return { name: newName('dsp'), mode: 'rtb', endpoint_url: 'http://127.0.0.1:9/bid' };
}

/** Creates pools, and demand sources that each take traffic from five of them. */
export async function createMarketplace(client: ApiClient): Promise<Inventory> {
  const make = (path: string, body: () => object, count: number) =>
    client.all(
      Array.from({ length: count }, () => async () => (await client.ask<Made>('POST', path, body())).body.id),
      IN_FLIGHT,
    );
  const pools = await make('/api/supply/pools', newPool, POOLS);
  const dsps = await make('/api/demand/sources', newDsp, DSPS);
  const subscriptions = pools.map(
    (poolId, index) => () => client.ask('POST', `/api/demand/sources/${dsps[index % DSPS]}/pools/${poolId}`),
  );
  await client.all(subscriptions, IN_FLIGHT);
  return { sources: [], pools, dsps };
}

/** Adds supply sources, spread over the pools, until there are `count`. */
export async function addSources(client: ApiClient, { sources, pools }: Inventory, count: number): Promise<void> {
  const calls = Array.from({ length: count - sources.length }, (_, index) => async () => {
    const { body } = await client.ask<Made>('POST', '/api/supply/sources', newSource(pools[index % pools.length]!));
    return body.id;
  });
  sources.push(...(await client.all(calls, IN_FLIGHT)));
}

/** Archives every tenth supply source and removes it from the inventory. Answers their number. */
export async function archiveSome(client: ApiClient, { sources }: Inventory): Promise<number> {
  const tenth = sources.filter((_, index) => index % 10 === 9);
  await client.all(
    tenth.map((id) => () => client.ask('DELETE', `/api/supply/sources/${id}`)),
    IN_FLIGHT,
  );
  const archived = new Set(tenth);
  sources.splice(0, sources.length, ...sources.filter((id) => !archived.has(id)));
  return archived.size;
}
