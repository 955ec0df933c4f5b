import type { Redis } from 'ioredis';
import type { IdempotentEntry } from '#runtime/ports/log';

const HOUR_MS = 3_600_000;
const FILLER_BYTES = 20_000;
const PRICE_CPM_MICROS = 2_500_000;

/** An impression as an edge appends it. */
export function waitingImpression(
  number: number,
  partition: number,
  sources: { readonly publisher: string; readonly dsp: string },
  region = 'fra',
): IdempotentEntry & { readonly priceCpmMicros: number } {
  const id = `waiting-${number}`;
  const nowMs = Date.now();
  const body = {
    ...{ id, auction: `auction-${number}`, ...sources, crid: `creative-${number % 50}` },
    ...{ account: 'account-1', priceCpmMicros: PRICE_CPM_MICROS, feePpm: 150_000, region, soldAtMs: nowMs },
  };
  return {
    id,
    bucketMs: Math.floor(nowMs / HOUR_MS) * HOUR_MS,
    expiresAtMs: nowMs + HOUR_MS,
    payload: JSON.stringify([`tally/${partition}`, 'impression', body]),
    priceCpmMicros: PRICE_CPM_MICROS,
  };
}

/** Sets keys until Redis refuses one; resolves with what it said. */
export async function fillMemory(redis: Redis): Promise<string> {
  for (let fillers = 0; ; fillers++) {
    try {
      await redis.set(`filler-${fillers}`, 'x'.repeat(FILLER_BYTES));
    } catch (error) {
      return (error as Error).message;
    }
  }
}
