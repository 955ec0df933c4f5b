import { type LiveScope, nameOfScope } from './live-scope.ts';

/** The counters of the live figures, of one scope and region, over 5 seconds. */
export const LIVE_COUNTERS = ['auctions', 'imps', 'filledImps', 'netNanos'] as const;

export type LiveCounter = (typeof LIVE_COUNTERS)[number];

/**
 * Counts by counter. `netNanos`: whole nano-dollars that publishers have earned, gross less fee, by the time of
 * billing.
 */
export type LiveCounts = Record<LiveCounter, number>;

export const BUCKET_MS = 5_000;
/** A sum is kept this long after its bucket; readers need it for about one minute only. */
const RETENTION_MS = 180_000;

export function bucketOf(atMs: number): number {
  return Math.floor(atMs / BUCKET_MS) * BUCKET_MS;
}

/** The key of a shared sum. All edges and all readers must agree on it. */
export function sumKey(scope: LiveScope, region: string, bucketMs: number, counted: LiveCounter): string {
  return `live/${nameOfScope(scope)}/${region}/${bucketMs / BUCKET_MS}/${counted}`;
}

export function sumExpiresAtMs(bucketMs: number): number {
  return bucketMs + BUCKET_MS + RETENTION_MS;
}
