const ZERO = 48;
const NINE = 57;
const DOT = 46;
const GROUPS = 8;
const GROUP = /^[0-9a-f]{1,4}$/i;

/**
 * An IPv4 address as an unsigned 32-bit number; null for other text. The text is four decimal numbers without leading
 * zeros, which some parsers read as octal.
 */
export function parseIpv4(text: string): number | null {
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

/** The eight groups of an IPv6 address, 16 bits each (RFC 4291 §2.2), without a zone; null for other text. */
export function parseIpv6(text: string): number[] | null {
  // The longest IPv6 text has 45 characters: six groups and an IPv4 address.
  if (text.length > 45) return null;
  const [before = '', after, more] = text.split('::');
  if (more !== undefined) return null;
  const head = groupsOf(before, after === undefined);
  const tail = groupsOf(after ?? '', true);
  if (head === null || tail === null) return null;
  const left = GROUPS - head.length - tail.length;
  if (after === undefined ? left !== 0 : left < 1) return null;
  return [...head, ...new Array<number>(left).fill(0), ...tail];
}

/** `isLast`: the text ends the address, so that an IPv4 address may stand for the last two groups. */
function groupsOf(text: string, isLast: boolean): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (GROUP.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const v4 = isLast && index === parts.length - 1 ? parseIpv4(part) : null;
    if (v4 === null) return null;
    groups.push(v4 >>> 16, v4 & 0xffff);
  }
  return groups;
}
