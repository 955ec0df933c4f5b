import { isPublicAddress } from './address-guard.ts';
import { networkOf } from './network-of.ts';
import { isPublicUrl } from './public-url.ts';

/** Who a caller is to whatever counts calls by address. */
export interface RateLimitAddress {
  /** Of one IPv4 address or one IPv6 /64; behind a proxy that is not known as one, of whom the proxy names. */
  readonly network: string;
  /** The address of a proxy that many callers may share: null where the caller's own address is known. */
  readonly sharedBy: string | null;
}

interface Called {
  /** The caller's address, as the trusted proxies tell it. */
  readonly address: string;
  /** `X-Forwarded-For`, '' when absent. */
  readonly forwardedFor: string;
}

interface ProxySettings {
  readonly trustProxyHops: number;
  readonly publicUrl: string;
}

/**
 * By whom calls are counted. On a public host name, a caller with a private address is a balancer that TRUST_PROXY_HOPS does not
 * count: behind it, one caller must not use up what all have in common. What the balancer itself appended to `X-Forwarded-For`
 * (RFC 7239 §7.4: the last entry) tells its callers apart; a private caller can forge that, and so the shared address is counted as
 * well, against a wider bound.
 */
export function rateLimitAddress({ trustProxyHops, publicUrl }: ProxySettings) {
  const isPublic = isPublicUrl(publicUrl);
  return ({ address, forwardedFor }: Called): RateLimitAddress => {
    const network = networkOf(address, { v4: 32, v6: 64 });
    if (!isPublic || isPublicAddress(address)) return { network, sharedBy: null };
    const last = trustProxyHops === 0 ? forwardedFor.slice(forwardedFor.lastIndexOf(',') + 1).trim() : '';
    if (last === '') return { network, sharedBy: network };
    return { network: `${network} for ${networkOf(last, { v4: 32, v6: 64 })}`, sharedBy: network };
  };
}
