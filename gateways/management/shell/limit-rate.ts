import type { Context, Middleware } from 'koa';
import { account } from '#actors/account/account';
import type { AccountProjection } from '#actors/account/fields';
import type { AccountState } from '#actors/account/reduce';
import type { RateCount } from '#runtime/ports/rate-counters';
import { ApiError } from '../../errors.ts';
import { type RateLimitAddress, rateLimitAddress } from '../../http/caller-address.ts';
import type { ManagementDeps } from '../deps.ts';
import type { Identity } from '../identity/caller.ts';
import type { ManagementSettings } from '../settings.ts';

/** Specification, "Limits": requests are counted per minute. */
export const windowMs = 60_000;
/** The limit of an address that many callers may share, as a multiple of one caller's limit. */
const SHARED_FACTOR = 20;
/**
 * The part of an account's limit up to which the requests of one of its sources, or of its sandbox keys together, count
 * for the account too.
 */
const NARROW_SHARE = 0.5;

interface Bucket {
  readonly key: string;
  readonly limit: number;
}

/**
 * Counts requests per minute and refuses those beyond the limit. Requests with valid credentials count for the account,
 * all its keys, source keys and sessions together. Those of one source (its key and its people) and those with sandbox
 * keys count first in a narrow bucket, which has the account's limit too; past half of it they do not count for the
 * account, which still refuses them when it is used up. So they alone may make as many requests as the account, and do
 * not use up the limit of its other credentials. Requests without valid credentials, or whose credentials cannot be
 * checked, count for the network that they come from (one IPv4 address, one IPv6 /64; behind an unknown proxy see
 * `caller-address.ts`). Every answer states the figures of the bucket that has the fewest requests left.
 */
export function limitRate(deps: ManagementDeps): { readonly outer: Middleware; readonly inner: Middleware } {
  /** Refuses a request that finds the bucket full, also where it adds 0 points. Resolves with the bucket's points. */
  const count = async (ctx: Context, { key, limit }: Bucket, points = 1): Promise<number> => {
    ctx.state.counted = true;
    const { consumed, resetAtMs } = await deps.rates.consume(key, points, windowMs);
    const left = limit - consumed;
    if (left < (ctx.state.requestsLeft ?? Number.POSITIVE_INFINITY)) {
      ctx.state.requestsLeft = left;
      ctx.set(rateHeaders(limit, { consumed, resetAtMs }));
    }
    if (consumed - points < limit) return consumed;
    const message = `More than ${limit} requests in a minute.`;
    throw new ApiError('RATE_LIMITED', message, undefined, { resetAtMs });
  };
  const { trustProxyHops, publicBaseUrl: publicUrl } = deps.settings;
  const counted = rateLimitAddress({ trustProxyHops, publicUrl });
  const countAddress = async (ctx: Context): Promise<void> => {
    const address = counted({ address: ctx.ip, forwardedFor: ctx.get('X-Forwarded-For') });
    const buckets = addressBuckets(address, deps.settings);
    // The widest bucket is counted first: made-up addresses beyond its limit open no buckets of their own.
    for (const bucket of buckets) await count(ctx, bucket);
  };
  const countCredentials = async (ctx: Context, { accountId, narrowKey }: CountedCredentials): Promise<void> => {
    const limit = await requestsPerMinuteOf(accountId, deps);
    // A request that the narrow bucket refuses does not count for the account.
    const narrow = narrowKey === null ? 0 : await count(ctx, { key: narrowKey, limit });
    const points = narrow <= Math.ceil(limit * NARROW_SHARE) ? 1 : 0;
    await count(ctx, { key: `account:${accountId}`, limit }, points);
  };

  return {
    /** Counts the requests that are answered before the caller is known: wrong credentials, preflights. */
    async outer(ctx, next) {
      try {
        await next();
      } finally {
        if (ctx.state.counted !== true) await countAddress(ctx);
      }
    },
    /** Counts the requests that reach the routes. */
    async inner(ctx, next) {
      const credentials = countedCredentials(ctx.state.identity as Identity);
      if (credentials === null) await countAddress(ctx);
      else await countCredentials(ctx, credentials);
      await next();
    },
  };
}

/**
 * The buckets of a caller without valid credentials. A shared address has a wider bucket, and within it one for each
 * caller that can be told apart.
 */
export function addressBuckets(
  { network, sharedBy }: RateLimitAddress,
  { anonymousRequestsPerMinute: limit }: ManagementSettings,
): readonly Bucket[] {
  const own = { key: `address:${network}`, limit };
  if (sharedBy === null) return [own];
  const shared = { key: `address:${sharedBy}`, limit: limit * SHARED_FACTOR };
  return network === sharedBy ? [shared] : [shared, own];
}

export function rateHeaders(limit: number, { consumed, resetAtMs }: RateCount): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, limit - consumed)),
    'X-RateLimit-Reset': String(Math.ceil(resetAtMs / 1000)),
  };
}

interface CountedCredentials {
  readonly accountId: string;
  /** The key of the narrow bucket; null for credentials whose requests all count for the account. */
  readonly narrowKey: string | null;
}

function countedCredentials(identity: Identity): CountedCredentials | null {
  switch (identity.kind) {
    case 'account': {
      const { accountId, sandboxKey } = identity.caller;
      return { accountId, narrowKey: sandboxKey ? `sandbox-keys:${accountId}` : null };
    }
    case 'source': {
      const { accountId, kind, id } = identity.source;
      return { accountId, narrowKey: `source:${kind}:${id}` };
    }
    case 'nobody':
    case 'unknown':
      return null;
  }
}

async function requestsPerMinuteOf(id: string, { replica, store }: ManagementDeps): Promise<number> {
  const known = replica.get<AccountProjection>(account.kind, id);
  if (known !== undefined) return known.requestsPerMinute;
  // The replica lags by a moment, so an account that was just opened is read from the store.
  const [document] = await store.load([{ kind: account.kind, id }]);
  return ((document?.state ?? account.initial(id)) as AccountState).requestsPerMinute;
}
