import { isIP } from 'node:net';

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The network that an address is in, its first `v4` or `v6` bits (whole bytes, whole groups), as `192.0.2.0/24` or
 * `2001:db8:0:0:0:0:0:0/48`. What is no address is in the network `unknown`.
 */
export function networkOf(address: string, bits: { readonly v4: 8 | 16 | 24 | 32; readonly v6: 32 | 48 | 64 }): string {
  const zone = address.indexOf('%');
  const plain = mapped.exec(address)?.[1] ?? (zone === -1 ? address : address.slice(0, zone));
  switch (isIP(plain)) {
    case 4: {
      const kept = plain.split('.').map((byte, index) => (index * 8 < bits.v4 ? byte : '0'));
      return `${kept.join('.')}/${bits.v4}`;
    }
    case 6: {
      const kept = groupsOf(plain).map((group, index) => (index * 16 < bits.v6 ? group : '0'));
      return `${kept.join(':')}/${bits.v6}`;
    }
    default:
      return 'unknown';
  }
}

/** The eight groups of a valid IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  // The URL parser writes a v4 tail as groups, and the longest run of zeros as `::`.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after];
}
