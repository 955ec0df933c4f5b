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

interface Bucket {
  readonly key: string;
  readonly limit: number;
}

/**
 * Counts requests per minute and refuses those beyond the limit. Requests with valid credentials count for the account,
 * all its keys, source keys and sessions together. Requests without valid credentials, or whose credentials cannot be
 * checked, count for the network that they come from (one IPv4 address, one IPv6 /64; behind an unknown proxy see
 * `caller-address.ts`). Every answer states the figures of its bucket.
 */
export function limitRate(deps: ManagementDeps): { readonly outer: Middleware; readonly inner: Middleware } {
  const count = async (ctx: Context, { key, limit }: Bucket): Promise<void> => {
    ctx.state.counted = true;
    const { consumed, resetAtMs } = await deps.rates.consume(key, 1, windowMs);
    ctx.set(rateHeaders(limit, { consumed, resetAtMs }));
    if (consumed <= limit) return;
    const message = `More than ${limit} requests in a minute.`;
    throw new ApiError('RATE_LIMITED', message, undefined, { resetAtMs });
  };
  const { trustProxyHops, publicBaseUrl: publicUrl } = deps.settings;
  const counted = rateLimitAddress({ trustProxyHops, publicUrl });
  const countAddress = async (ctx: Context): Promise<void> => {
    const address = counted({ address: ctx.ip, forwardedFor: ctx.get('X-Forwarded-For') });
    const buckets = addressBuckets(address, deps.settings);
    // The narrowest bucket is counted last, so that the answer states its figures.
    for (const bucket of buckets) await count(ctx, bucket);
  };
  const accountBucket = async (id: string): Promise<Bucket> => ({
    key: `account:${id}`,
    limit: await requestsPerMinuteOf(id, deps),
  });

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
      const accountId = rateLimitedAccountOf(ctx.state.identity as Identity);
      if (accountId === null) await countAddress(ctx);
      else await count(ctx, await accountBucket(accountId));
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

function rateLimitedAccountOf(identity: Identity): string | null {
  switch (identity.kind) {
    case 'account':
      return identity.caller.accountId;
    case 'source':
      return identity.source.accountId;
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
