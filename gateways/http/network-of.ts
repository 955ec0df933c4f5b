import { type Ipv6Words, parseIp } from '../../edge/addresses/ip-address.ts';

/**
 * The network of an address: its first `v4` or `v6` bits (whole bytes, whole groups), as `192.0.2.0/24` or
 * `2001:db8:0:0:0:0:0:0/48`. A text that is not an IP address gives `unknown`.
 */
export function networkOf(address: string, bits: { readonly v4: 8 | 16 | 24 | 32; readonly v6: 32 | 48 | 64 }): string {
  const parsed = parseIp(address);
  if (parsed === null) return 'unknown';
  if ('v4' in parsed) {
    const kept = bytesOf(parsed.v4).map((byte, index) => (index * 8 < bits.v4 ? byte : 0));
    return `${kept.join('.')}/${bits.v4}`;
  }
  const kept = groupsOf(parsed.v6).map((group, index) => (index * 16 < bits.v6 ? group.toString(16) : '0'));
  return `${kept.join(':')}/${bits.v6}`;
}

function bytesOf(v4: number): number[] {
  return [24, 16, 8, 0].map((shift) => (v4 >>> shift) & 0xff);
}

function groupsOf(words: Ipv6Words): number[] {
  return words.flatMap((word) => [word >>> 16, word & 0xffff]);
}
