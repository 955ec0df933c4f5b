import { parseIpv4, parseIpv6 } from '../../exchange/ip-notation.ts';

/** The 128 bits of an IPv6 address, highest first, as four unsigned 32-bit words. */
export type Ipv6Words = readonly [number, number, number, number];

/** An IPv4 address as an unsigned 32-bit number. A v4 address that is written as a v6 one is v4. */
export type IpAddress = { readonly v4: number } | { readonly v6: Ipv6Words };

const MAPPED = 0xffff;
const ZONE = /%[0-9a-zA-Z.:-]+$/;

/**
 * Null for a text that is no address in the usual notation (RFC 4632, RFC 4291 §2.2). A zone is no part of the address.
 */
export function parseIp(text: string): IpAddress | null {
  if (!text.includes(':')) {
    const v4 = parseIpv4(text);
    return v4 === null ? null : { v4 };
  }
  const groups = parseIpv6(text.includes('%') ? text.replace(ZONE, '') : text);
  if (groups === null) return null;
  const word = (index: number) => groups[index]! * 65_536 + groups[index + 1]!;
  const v6: Ipv6Words = [word(0), word(2), word(4), word(6)];
  return v6[0] === 0 && v6[1] === 0 && v6[2] === MAPPED ? { v4: v6[3] } : { v6 };
}
