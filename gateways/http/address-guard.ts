import { BlockList, isIP } from 'node:net';
import { GLOBAL_V6_NETWORK, SPECIAL_V4_NETWORKS, SPECIAL_V6_NETWORKS } from '../../edge/addresses/special-networks.ts';

const notPublic = new BlockList();
for (const [network, prefix] of SPECIAL_V4_NETWORKS) notPublic.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_V6_NETWORKS) notPublic.addSubnet(network, prefix, 'ipv6');

/** The IPv6 space that is assigned for use across the Internet, and v4 addresses mapped into v6. */
const global = new BlockList();
global.addSubnet(...GLOBAL_V6_NETWORK, 'ipv6');
global.addSubnet('::ffff:0:0', 96, 'ipv6');

/** The connection was refused because the name or address leads into a network that is not public. */
export class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';
  readonly code = 'ADDRESS_FORBIDDEN';
}

/** Whether an IP address (v4, v6, v4 mapped into v6) belongs to the public Internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic.check(address, 'ipv4');
  // BlockList applies the v4 rules to v4 addresses mapped into v6.
  return family === 6 && global.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

/**
 * Whether a URL's host is an address literal outside the public Internet. A literal is never looked up, so
 * `publicAddresses` does not see it.
 */
export function namesForbiddenAddress(url: URL): boolean {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  return isIP(host) !== 0 && !isPublicAddress(host);
}
