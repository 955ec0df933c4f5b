import type { IpAddress } from '../addresses/ip-address.ts';
import { fingerprint } from './fingerprint.ts';

/** A key of the smallest network of one customer: one address of IPv4, a /64 of IPv6. */
export function customerNetworkKey(address: IpAddress): number {
  if ('v4' in address) return address.v4;
  return fingerprint(`${address.v6[0]}:${address.v6[1]}`);
}
