import { isIPv6 } from 'node:net';

/** The 128 bits of an IPv6 address, highest first, as four unsigned 32-bit words. */
export type Ipv6Words = readonly [number, number, number, number];

/** An IPv4 address as an unsigned 32-bit number. A v4 address that is written as a v6 one is v4. */
export type IpAddress = { readonly v4: number } | { readonly v6: Ipv6Words };

const ZERO = 48;
const NINE = 57;
const DOT = 46;
const MAPPED = 0xffff;

/** Null for what is no address in the usual notation (RFC 4632, RFC 4291 §2.2). A zone is none of the address. */
export function parseIp(text: string): IpAddress | null {
  if (!text.includes(':')) {
    const v4 = parseV4(text);
    return v4 === null ? null : { v4 };
  }
  if (!isIPv6(text)) return null;
  const zone = text.indexOf('%');
  const v6 = v6Words(zone === -1 ? text : text.slice(0, zone));
  return v6[0] === 0 && v6[1] === 0 && v6[2] === MAPPED ? { v4: v6[3] } : { v6 };
}

/** Four decimal numbers of at most three digits; no leading zeros, which some read as octal. */
function parseV4(text: string): number | null {
  let address = 0;
  let part = -1;
  let dots = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (part === -1 || dots === 3) return null;
      address = address * 256 + part;
      part = -1;
      dots++;
    } else if (code >= ZERO && code <= NINE && part !== 0) {
      part = part === -1 ? code - ZERO : part * 10 + code - ZERO;
      if (part > 255) return null;
    } else {
      return null;
    }
  }
  return dots === 3 && part !== -1 ? address * 256 + part : null;
}

/** Of a text that is an IPv6 address. */
function v6Words(text: string): Ipv6Words {
  const [before = '', after] = text.split('::');
  const head = groupsOf(before);
  const tail = after === undefined ? [] : groupsOf(after);
  const groups = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
  const word = (index: number) => groups[index]! * 65_536 + groups[index + 1]!;
  return [word(0), word(2), word(4), word(6)];
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  const groups: number[] = [];
  for (const part of text.split(':')) {
    const v4 = part.includes('.') ? parseV4(part) : null;
    if (v4 === null) groups.push(Number.parseInt(part, 16));
    else groups.push(Math.floor(v4 / 65_536), v4 % 65_536);
  }
  return groups;
}
