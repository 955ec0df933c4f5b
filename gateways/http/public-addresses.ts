import { AddressForbidden, isPublicAddress } from './address-guard.ts';
import { dnsLookups } from './dns-addresses.ts';
import { isLocalName } from './local-name.ts';
import type { FindAddresses } from './name-lookups.ts';

/**
 * The public addresses that the DNS has for a name. The socket connects to the addresses that were checked here, so a
 * name that resolves differently a moment later (DNS rebinding) cannot evade the check. Fails with AddressForbidden for
 * a name that leads to none.
 */
export const publicAddresses = publicAddressesOf(dnsLookups());

export function publicAddressesOf(find: FindAddresses): FindAddresses {
  return async (hostname) => {
    const all = isLocalName(hostname) ? [] : await find(hostname);
    const allowed = all.filter(({ address }) => isPublicAddress(address));
    if (allowed.length === 0) throw new AddressForbidden(`${hostname} leads to no public address`);
    return allowed;
  };
}
