import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';

const notPublic = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  notPublic.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  notPublic.addSubnet(network, prefix, 'ipv6');

/** Connecting was refused because the name or address leads into a network that is not public. */
export class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';
  readonly code = 'ADDRESS_FORBIDDEN';
}

/** Whether an IP address (v4, v6, v4 mapped into v6) is one of the public Internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  // BlockList judges v4 addresses mapped into v6 by the v4 rules.
  return !notPublic.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether a URL's host is an address literal outside the public Internet: a literal is never looked up. */
export function namesForbiddenAddress(url: URL): boolean {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  return isIP(host) !== 0 && !isPublicAddress(host);
}

type LookupDone = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/**
 * The `lookup` of a connection that may only lead to public addresses. It judges the very addresses that the socket
 * then connects to, so a name that resolves differently a moment later (DNS rebinding) does not get past it.
 */
export function publicLookup(hostname: string, options: LookupOptions, done: LookupDone): void {
  dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) {
      done(error, '');
      return;
    }
    const allowed = addresses.filter(({ address }) => isPublicAddress(address));
    const first = allowed[0];
    if (!first) done(new AddressForbidden(`${hostname} leads to no public address`), '');
    else if (options.all) done(null, allowed);
    else done(null, first.address, first.family);
  });
}
