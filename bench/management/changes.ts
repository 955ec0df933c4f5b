import type { ApiClient } from '../http/api-client.ts';
import { type Inventory, newDsp, newPool, newSource } from './inventory.ts';

export const CHANGES = [
  'POST supply source',
  'PUT supply source',
  'POST pool',
  'PUT pool',
  'POST demand source',
  'PUT demand source',
] as const;
export type Change = (typeof CHANGES)[number];

/** The times of calls in ms, by kind of change. */
export type Times = Record<Change, number[]>;

export function noTimes(): Times {
  return Object.fromEntries(CHANGES.map((change) => [change, []])) as unknown as Times;
}

/**
 * Makes changes of all kinds in turn, `perSecond` of them whether earlier ones were answered or not, and records their
 * times.
 */
export async function changeSteadily(
  client: ApiClient,
  inventory: Inventory,
  perSecond: number,
  seconds: number,
): Promise<Times> {
  const times = noTimes();
  const startedMs = performance.now();
  const calls: Promise<void>[] = [];
  for (let number = 0; number < perSecond * seconds; number++) {
    const waitMs = startedMs + (number * 1000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const change = CHANGES[number % CHANGES.length]!;
    calls.push(make(client, inventory, change).then((tookMs) => void times[change].push(tookMs)));
  }
  await Promise.all(calls);
  return times;
}

let turn = 0;

/** Makes a real change: the written value differs from the current one. */
async function make(client: ApiClient, inventory: Inventory, change: Change): Promise<number> {
  turn += 1;
  // The stride visits every source of the list, and none twice in a row.
  const one = (ids: readonly string[]) => ids[(turn * 7) % ids.length]!;
  const cpm = (1 + (turn % 500)) / 100;
  const call = (): [method: string, path: string, body: object] => {
    switch (change) {
      case 'POST supply source':
        return ['POST', '/api/supply/sources', newSource(one(inventory.pools))];
      case 'PUT supply source':
        return ['PUT', `/api/supply/sources/${one(inventory.sources)}`, { floor_price_cpm: cpm }];
      case 'POST pool':
        return ['POST', '/api/supply/pools', newPool()];
      case 'PUT pool':
        return ['PUT', `/api/supply/pools/${one(inventory.pools)}`, { floor_price_cpm: cpm }];
      case 'POST demand source':
        return ['POST', '/api/demand/sources', newDsp()];
      case 'PUT demand source':
        return ['PUT', `/api/demand/sources/${one(inventory.dsps)}`, { timeout_ms: 50 + (turn % 100) }];
    }
  };
  return (await client.ask(...call())).tookMs;
}
