interface Funnel {
  readonly from: string;
  readonly requests: number;
}

const HOUR_MS = 3_600_000;

/**
 * How many more requests there are today up to `at` than there were yesterday: 0.5 for half as many more; null where
 * yesterday had none. `yesterday` has as many hours as today has begun, and its last one is whole: so large a part of
 * it counts as is over of today's.
 */
export function changeOnYesterday(today: Funnel, yesterday: Funnel, at: string): number | null {
  const hours = (Date.parse(at) - Date.parse(today.from)) / HOUR_MS;
  const expected = yesterday.requests * (hours / Math.ceil(hours));
  return expected > 0 ? today.requests / expected - 1 : null;
}
