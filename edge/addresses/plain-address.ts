import { isIP } from 'node:net';

/** Prefix with which a socket for both families writes IPv4 (RFC 4291 §2.5.5.2). */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/;
/** How proxies write an address with its port: `198.51.100.7:51234`, `[2001:db8::7]:51234` (RFC 7239 §6). */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/;

/**
 * An address as a socket or a proxy states it: without a port, and IPv4 without its IPv6 form. '' for a text that is no
 * address, such as the `unknown` of a proxy that hides it (RFC 7239 §6.2).
 */
export function plainAddress(stated: string): string {
  const address = stated.replace(MAPPED_IPV4, '');
  if (isIP(address) !== 0) return address;
  const [, v4, v6] = WITH_PORT.exec(address) ?? [];
  const alone = (v4 ?? v6 ?? '').replace(MAPPED_IPV4, '');
  return isIP(alone) !== 0 ? alone : '';
}
