/** Prefix with which a socket for both families writes IPv4 (RFC 4291 §2.5.5.2). */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/;

/** An address as a socket or a proxy states it; IPv4 without its IPv6 form. */
export function plainAddress(stated: string): string {
  return stated.replace(MAPPED_IPV4, '');
}
