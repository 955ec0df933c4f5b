import type { ApiClient } from '../http/api-client.ts';
import type { Inventory } from './inventory.ts';

const PER_PAGE = 200;

interface Page {
  readonly publishers: readonly { readonly status: string }[];
  readonly total: number;
}

/**
 * Reads all pages of the supply sources, of one status or of all, in order, and answers the time of each page in ms. A
 * source is changed before each page, so that no page profits from a cache of the last one.
 */
export async function readAllPages(
  client: ApiClient,
  inventory: Inventory,
  expected: number,
  status?: 'active',
): Promise<number[]> {
  const times: number[] = [];
  let seen = 0;
  for (let page = 1; seen < expected; page++) {
    await changeOne(client, inventory, page);
    const filter = status === undefined ? '' : `&status=${status}`;
    const path = `/api/supply/sources?per_page=${PER_PAGE}&page=${page}${filter}`;
    const { body, tookMs } = await client.ask<Page>('GET', path);
    const all = body.publishers.every((source) => status === undefined || source.status === status);
    if (body.total !== expected || body.publishers.length === 0 || !all) {
      throw new Error(`page ${page} of ${expected} sources shows ${body.publishers.length} of ${body.total}`);
    }
    seen += body.publishers.length;
    times.push(tookMs);
  }
  return times;
}

/** Reads the pools with their numbers of sources `times` times; a source is changed before each. */
export async function readPools(client: ApiClient, inventory: Inventory, times: number): Promise<number[]> {
  const tookMs: number[] = [];
  for (let time = 0; time < times; time++) {
    await changeOne(client, inventory, time);
    const answer = await client.ask<{ pools: readonly { publisher_count: number }[] }>('GET', '/api/supply/pools');
    const members = answer.body.pools.reduce((sum, pool) => sum + pool.publisher_count, 0);
    if (members !== inventory.sources.length) {
      throw new Error(`the pools count ${members} of ${inventory.sources.length} sources`);
    }
    tookMs.push(answer.tookMs);
  }
  return tookMs;
}

async function changeOne(client: ApiClient, { sources }: Inventory, turn: number): Promise<void> {
  const id = sources[(turn * 37) % sources.length];
  await client.ask('PUT', `/api/supply/sources/${id}`, {
    floor_price_cpm: (turn % 100) / 100 + performance.now() / 1e7,
  });
}
