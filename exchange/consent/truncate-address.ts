import { parseIpv6 } from '../ip-notation.ts';

const IPV4 = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/;
const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const IPV6_GROUPS_KEPT = 3;

/**
 * Truncates an address so that it no longer tells the viewer from the neighbours: IPv4 to 24 bits, IPv6 to 48, the size
 * of a site's prefix (RFC 6177). Undefined for text that is no address.
 */
export function truncateAddress(address: string): string | undefined {
  const plain = address.replace(MAPPED_IPV4, '');
  const ipv4 = IPV4.exec(plain);
  if (ipv4 !== null) return `${ipv4[1]}.0`;
  const groups = parseIpv6(plain);
  if (groups === null) return undefined;
  const kept = groups.slice(0, Math.min(IPV6_GROUPS_KEPT, startOfShortened(groups)));
  return `${kept.map((group) => group.toString(16)).join(':')}::`;
}

/**
 * The index where `::` stands in the canonical text of an address: the first of the longest runs of at least two zeros
 * (RFC 5952 §4.2).
 */
function startOfShortened(groups: readonly number[]): number {
  let [longest, start] = [1, groups.length];
  for (let at = 0; at < groups.length; at++) {
    let end = at;
    while (groups[end] === 0) end++;
    if (end - at > longest) [longest, start] = [end - at, at];
    at = Math.max(at, end - 1);
  }
  return start;
}
