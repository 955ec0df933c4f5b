import { LRUCache } from 'lru-cache';
import { REGIONS } from '../../exchange/region.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Counters } from '../../runtime/ports/counters.ts';
import { inFlushTurn } from './flush-turn.ts';
import { BUCKET_MS, bucketOf, LIVE_COUNTERS, type LiveCounts, sumExpiresAtMs, sumKey } from './live-counts.ts';
import { type LiveScope, nameOfScope } from './live-scope.ts';

/** The last minute: the bucket of 5 seconds in progress and the 11 buckets before it. */
const BUCKETS = 12;
/** A bucket is complete this long after its end: edges report every second. */
const SETTLED_AFTER_MS = 10_000;
/** Scopes whose complete buckets are cached, so that only buckets that can still change are read again. */
const SCOPES_REMEMBERED = 20_000;

/** The counts of the last minute. */
export interface LiveMinute {
  /** The covered time so far, 55 to 60 seconds. */
  readonly seconds: number;
  /** Counts by region; regions without traffic are left out. */
  readonly regions: ReadonlyMap<string, LiveCounts>;
}

type Bucket = ReadonlyMap<string, LiveCounts>;

/**
 * Reads the live figures of all edges together, up to date within 1 to 2 seconds. A sum that cannot be read counts as
 * 0.
 */
export class LiveFigures {
  readonly #counters: Pick<Counters, 'sums' | 'marks'>;
  readonly #clock: Clock;
  /**
   * Complete buckets of live scopes, by name of the scope, then by start of the bucket. Sandbox scopes are not cached:
   * a flushed sandbox must read as empty at once.
   */
  readonly #settled = new LRUCache<string, Map<number, Bucket>>({ max: SCOPES_REMEMBERED });

  constructor(counters: Pick<Counters, 'sums' | 'marks'>, clock: Clock) {
    this.#counters = counters;
    this.#clock = clock;
  }

  /** The last minute of each scope, in the given order, with one round trip for all. */
  async lastMinutes(scopes: readonly LiveScope[]): Promise<LiveMinute[]> {
    const nowMs = this.#clock.now();
    const newestMs = bucketOf(nowMs);
    const buckets = Array.from({ length: BUCKETS }, (_, age) => newestMs - age * BUCKET_MS);
    const unknown = scopes.map((scope) => {
      const known = this.#settled.get(nameOfScope(scope));
      return buckets.filter((bucketMs) => !known?.has(bucketMs));
    });
    const read = await this.#counters.sums.read(
      scopes.flatMap((scope, index) => unknown[index]!.flatMap((bucketMs) => keysOf(scope, bucketMs))),
    );
    let position = 0;
    return scopes.map((scope, index) => {
      const found = new Map<number, Bucket>();
      for (const bucketMs of unknown[index]!) {
        const { bucket, whole } = bucketIn(read, position);
        position += KEYS_IN_BUCKET;
        found.set(bucketMs, bucket);
        const settled = nowMs - bucketMs >= BUCKET_MS + SETTLED_AFTER_MS;
        if (whole && settled && !scope.sandbox) this.#remember(scope, bucketMs, bucket);
      }
      const known = this.#settled.get(nameOfScope(scope));
      for (const bucketMs of known?.keys() ?? []) if (bucketMs < buckets.at(-1)!) known!.delete(bucketMs);
      const minute = buckets.flatMap((bucketMs) => found.get(bucketMs) ?? known?.get(bucketMs) ?? []);
      return { seconds: (nowMs - buckets.at(-1)!) / 1000, regions: summed(minute) };
    });
  }

  async lastMinute(scope: LiveScope): Promise<LiveMinute> {
    const [minute] = await this.lastMinutes([scope]);
    return minute!;
  }

  /**
   * Removes the counts of a partner's sandbox, or of the whole account's, from the sums; `partners` are those of the
   * account. A report of an edge at the same moment may remain. Flushes of an account follow one another, whichever
   * processes run them: two at once would both subtract the same counts, and hide those that come next.
   */
  flushSandbox(accountId: string, partnerId: string | null, partners: readonly string[]): Promise<void> {
    const { marks } = this.#counters;
    const flush = () => this.#flushSandbox(accountId, partnerId, partners);
    return inFlushTurn({ marks, clock: this.#clock }, accountId, flush);
  }

  async #flushSandbox(accountId: string, partnerId: string | null, partners: readonly string[]): Promise<void> {
    const newestMs = bucketOf(this.#clock.now());
    const buckets = Array.from({ length: BUCKETS + 1 }, (_, age) => newestMs - age * BUCKET_MS);
    const keysIn = (partner: string | null) =>
      buckets.flatMap((bucketMs) =>
        keysOf({ accountId, partnerId: partner, sandbox: true }, bucketMs).map((key) => ({ key, bucketMs })),
      );
    const take = async (partner: string | null): Promise<number[]> => {
      const keys = keysIn(partner);
      const sums = (await this.#counters.sums.read(keys.map(({ key }) => key))).map((sum) => sum ?? 0);
      await this.#subtract(keys, sums);
      return sums;
    };
    if (partnerId === null) {
      for (const partner of [null, ...partners]) await take(partner);
    } else {
      const sums = await take(partnerId);
      await this.#subtract(keysIn(null), sums);
    }
  }

  async #subtract(
    keys: readonly { readonly key: string; readonly bucketMs: number }[],
    sums: readonly number[],
  ): Promise<void> {
    const changes = keys.flatMap(({ key, bucketMs }, index) => {
      const sum = sums[index]!;
      return sum === 0 ? [] : [{ key, amount: -sum, expiresAtMs: sumExpiresAtMs(bucketMs) }];
    });
    if (changes.length > 0) await this.#counters.sums.add(changes);
  }

  #remember(scope: LiveScope, bucketMs: number, bucket: Bucket): void {
    const name = nameOfScope(scope);
    const known = this.#settled.get(name);
    if (known) known.set(bucketMs, bucket);
    else this.#settled.set(name, new Map([[bucketMs, bucket]]));
  }
}

const KEYS_IN_BUCKET = REGIONS.length * LIVE_COUNTERS.length;

function keysOf(scope: LiveScope, bucketMs: number): string[] {
  return REGIONS.flatMap((region) => LIVE_COUNTERS.map((counted) => sumKey(scope, region, bucketMs, counted)));
}

/** Reads one bucket from sums in the order of {@link keysOf}. */
function bucketIn(read: readonly (number | null)[], from: number): { bucket: Bucket; whole: boolean } {
  const bucket = new Map<string, LiveCounts>();
  let whole = true;
  REGIONS.forEach((region, regionIndex) => {
    const [auctions, imps, filledImps, netNanos] = LIVE_COUNTERS.map((_, index) => {
      const sum = read[from + regionIndex * LIVE_COUNTERS.length + index] ?? null;
      if (sum === null) whole = false;
      return Math.max(0, sum ?? 0);
    }) as [number, number, number, number];
    if (auctions + imps + netNanos > 0) bucket.set(region, { auctions, imps, filledImps, netNanos });
  });
  return { bucket, whole };
}

function summed(buckets: readonly Bucket[]): Map<string, LiveCounts> {
  const regions = new Map<string, LiveCounts>();
  for (const bucket of buckets) {
    for (const [region, counts] of bucket) {
      const sum = regions.get(region);
      if (!sum) regions.set(region, { ...counts });
      else for (const counted of LIVE_COUNTERS) sum[counted] += counts[counted];
    }
  }
  return regions;
}

/** Auctions per second, rounded to 2 decimals. */
export function auctionsPerSecond({ auctions }: Pick<LiveCounts, 'auctions'>, { seconds }: LiveMinute): number {
  return Math.round((auctions / seconds) * 100) / 100;
}

/** The counts of all regions together. */
export function totalOf({ regions }: LiveMinute): LiveCounts {
  const total: LiveCounts = { auctions: 0, imps: 0, filledImps: 0, netNanos: 0 };
  for (const counts of regions.values()) for (const counted of LIVE_COUNTERS) total[counted] += counts[counted];
  return total;
}
