import { plainAddress } from '../../edge/addresses/plain-address.ts';
import { isPublicAddress } from './address-guard.ts';
import { networkOf } from './network-of.ts';
import { isPublicUrl } from './public-url.ts';

/** The identity of a caller for limits that count calls by address. */
export interface RateLimitAddress {
  /**
   * The network of one IPv4 address or one IPv6 /64. Behind a proxy that TRUST_PROXY_HOPS does not count, it includes
   * the address that the proxy reports.
   */
  readonly network: string;
  /** The network of a proxy that many callers may share; null when the caller's own address is known. */
  readonly sharedBy: string | null;
}

interface Called {
  /** The caller's address, as the trusted proxies report it. */
  readonly address: string;
  /** The header `X-Forwarded-For`, or '' when absent. */
  readonly forwardedFor: string;
}

interface ProxySettings {
  readonly trustProxyHops: number;
  readonly publicUrl: string;
}

/**
 * Creates the function that identifies callers for rate limits. On a public host name, a caller with a private address
 * is a load balancer that TRUST_PROXY_HOPS does not count: one caller behind it must not use up the limit of all
 * others. The last entry of `X-Forwarded-For`, which the balancer appends (RFC 7239 §7.4), tells its callers apart. A
 * private caller can forge that entry, so the shared address is counted as well, against a wider limit.
 */
export function rateLimitAddress({ trustProxyHops, publicUrl }: ProxySettings) {
  const isPublic = isPublicUrl(publicUrl);
  return ({ address, forwardedFor }: Called): RateLimitAddress => {
    const network = networkOf(address, { v4: 32, v6: 64 });
    if (!isPublic || isPublicAddress(address)) return { network, sharedBy: null };
    const last = trustProxyHops === 0 ? forwardedFor.slice(forwardedFor.lastIndexOf(',') + 1).trim() : '';
    if (last === '') return { network, sharedBy: network };
    return { network: `${network} for ${networkOf(plainAddress(last), { v4: 32, v6: 64 })}`, sharedBy: network };
  };
}
