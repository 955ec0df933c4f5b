import type { Context, Middleware } from 'koa';
import { account } from '../../../actors/account/account.ts';
import type { AccountState } from '../../../actors/account/reduce.ts';
import type { AccountView } from '../../../actors/account/view.ts';
import type { RateCount } from '../../../runtime/ports/rates.ts';
import { ApiError } from '../../errors.ts';
import { networkOf } from '../../http/network-of.ts';
import type { Identity } from '../identity/caller.ts';
import type { ManagementParts } from '../parts.ts';
import type { ManagementSettings } from '../settings.ts';

/** Specification, "Limits": requests per minute. */
export const windowMs = 60_000;

interface Bucket {
  readonly key: string;
  readonly limit: number;
}

/**
 * Requests are counted for the account whose credentials they bring, all its keys, source keys and sessions together;
 * those that bring none, or none that is known to be valid, for the network that they come from (one IPv4 address, one IPv6 /64).
 * Every answer says where its bucket stands.
 */
export function limitRate(parts: ManagementParts): { readonly outer: Middleware; readonly inner: Middleware } {
  const count = async (ctx: Context, { key, limit }: Bucket): Promise<void> => {
    ctx.state.counted = true;
    const { consumed, resetAtMs } = await parts.rates.consume(key, 1, windowMs);
    ctx.set(rateHeaders(limit, { consumed, resetAtMs }));
    if (consumed <= limit) return;
    const message = `More than ${limit} requests in a minute.`;
    throw new ApiError('RATE_LIMITED', message, undefined, { resetAtMs });
  };
  const accountBucket = async (id: string): Promise<Bucket> => ({
    key: `account:${id}`,
    limit: await requestsPerMinuteOf(id, parts),
  });

  return {
    /** Counts what is answered before it is known who asks: wrong credentials, preflights. */
    async outer(ctx, next) {
      try {
        await next();
      } finally {
        if (ctx.state.counted !== true) await count(ctx, addressBucket(ctx.ip, parts.settings));
      }
    },
    /** Counts what goes on to the routes. */
    async inner(ctx, next) {
      const accountId = accountOf(ctx.state.identity as Identity);
      await count(ctx, accountId === null ? addressBucket(ctx.ip, parts.settings) : await accountBucket(accountId));
      await next();
    },
  };
}

/** Of whoever brings no valid credentials. */
export function addressBucket(address: string, { anonymousRequestsPerMinute: limit }: ManagementSettings): Bucket {
  return { key: `address:${networkOf(address, { v4: 32, v6: 64 })}`, limit };
}

export function rateHeaders(limit: number, { consumed, resetAtMs }: RateCount): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, limit - consumed)),
    'X-RateLimit-Reset': String(Math.ceil(resetAtMs / 1000)),
  };
}

function accountOf(identity: Identity): string | null {
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

async function requestsPerMinuteOf(id: string, { replica, store }: ManagementParts): Promise<number> {
  const known = replica.get<AccountView>(account.kind, id);
  if (known !== undefined) return known.requestsPerMinute;
  // The replica follows within a moment; an account that has just been opened is asked for before.
  const [document] = await store.load([{ kind: account.kind, id }]);
  return ((document?.state ?? account.initial(id)) as AccountState).requestsPerMinute;
}
