import { type LiveScope, nameOfScope } from './live-scope.ts';

/** What edges count for the figures of the moment, of one scope and region, in five seconds. */
export const LIVE_COUNTERS = ['auctions', 'imps', 'filledImps', 'netNanos'] as const;

export type LiveCounter = (typeof LIVE_COUNTERS)[number];

/** `netNanos`: whole nano-dollars that publishers have earned, gross less fee, by when it was billed. */
export type LiveCounts = Record<LiveCounter, number>;

export const BUCKET_MS = 5_000;
/** Long after nobody asks for it any more. */
const RETENTION_MS = 180_000;

export function bucketOf(atMs: number): number {
  return Math.floor(atMs / BUCKET_MS) * BUCKET_MS;
}

/** The name of a shared sum. Every edge and every process that reads must agree on it. */
export function sumKey(scope: LiveScope, region: string, bucketMs: number, counted: LiveCounter): string {
  return `live/${nameOfScope(scope)}/${region}/${bucketMs / BUCKET_MS}/${counted}`;
}

export function sumExpiresAtMs(bucketMs: number): number {
  return bucketMs + BUCKET_MS + RETENTION_MS;
}
