const IPV4 = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/;
const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const IPV6_GROUPS_KEPT = 3;

/**
 * An address without what tells the viewer from the neighbours: IPv4 to 24 bits, IPv6 to 48, which is what a site is given
 * (RFC 6177). Undefined for what is no address.
 */
export function truncateAddress(address: string): string | undefined {
  const plain = address.replace(MAPPED_IPV4, '');
  const ipv4 = IPV4.exec(plain);
  if (ipv4 !== null) return `${ipv4[1]}.0`;
  // The parser of URLs checks an IPv6 address, and writes it in one way; it knows no zones (`%eth0`).
  const url = `http://[${plain}]/`;
  if (!/^[0-9a-f:.]+$/i.test(plain) || !URL.canParse(url)) return undefined;
  const [head = ''] = new URL(url).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':').slice(0, IPV6_GROUPS_KEPT);
  return `${groups.join(':')}::`;
}
