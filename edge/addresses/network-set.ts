import { type IpAddress, type Ipv6Words, parseIp } from './ip-address.ts';

/** Addresses from `first` to `last`, both included; v4 addresses as one word, v6 as four. */
interface Range {
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/** A network in CIDR notation, or a single address. */
export interface Network {
  readonly family: 4 | 6;
  readonly range: Range;
}

/**
 * Null for a text that is neither `203.0.113.0/24`, `2001:db8::/32` nor a single address. Bits behind the prefix are
 * accepted.
 */
export function parseNetwork(text: string): Network | null {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const parsed = parseIp(address);
  if (parsed === null) return null;
  const words = wordsOf(parsed);
  // A v4 network written as v6 (`::ffff:10.0.0.0/104`) counts its prefix from the beginning of the v6 address.
  const mappedBits = 'v4' in parsed && address.includes(':') ? 96 : 0;
  const prefix = bits === undefined ? words.length * 32 : Number(bits) - mappedBits;
  if (prefix < 0 || prefix > words.length * 32) return null;
  const hostBits = (index: number) => 32 - Math.max(0, Math.min(32, prefix - index * 32));
  const first = words.map((word, index) => word - (word % 2 ** hostBits(index)));
  const last = first.map((word, index) => word + 2 ** hostBits(index) - 1);
  return { family: words.length === 1 ? 4 : 6, range: { first, last } };
}

/** Networks, which may be others at the next lookup. */
export interface Networks {
  has(address: IpAddress): boolean;
}

/** A set of networks. A lookup takes the time of one binary search, however many networks there are. */
export class NetworkSet implements Networks {
  readonly #v4: SortedRanges;
  readonly #v6: SortedRanges;

  constructor(networks: readonly Network[]) {
    const rangesOf = (family: 4 | 6) =>
      networks.filter((network) => network.family === family).map(({ range }) => range);
    this.#v4 = new SortedRanges(rangesOf(4), 1);
    this.#v6 = new SortedRanges(rangesOf(6), 4);
  }

  has(address: IpAddress): boolean {
    return 'v4' in address ? this.#v4.holds([address.v4]) : this.#v6.holds(address.v6);
  }
}

/** Disjoint ranges in ascending order: `words` numbers for each end. */
class SortedRanges {
  readonly #words: number;
  readonly #firsts: Uint32Array;
  readonly #lasts: Uint32Array;

  constructor(ranges: readonly Range[], words: 1 | 4) {
    const merged: Range[] = [];
    for (const range of [...ranges].sort((one, other) => compare(one.first, other.first))) {
      const before = merged.at(-1);
      if (before === undefined || compare(range.first, before.last) > 0) merged.push(range);
      else if (compare(range.last, before.last) > 0) merged[merged.length - 1] = { ...before, last: range.last };
    }
    this.#words = words;
    this.#firsts = Uint32Array.from(merged.flatMap(({ first }) => first));
    this.#lasts = Uint32Array.from(merged.flatMap(({ last }) => last));
  }

  holds(address: readonly number[]): boolean {
    let low = 0;
    let high = this.#firsts.length / this.#words - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      if (this.#order(address, this.#firsts, middle) < 0) high = middle - 1;
      else if (this.#order(address, this.#lasts, middle) > 0) low = middle + 1;
      else return true;
    }
    return false;
  }

  #order(address: readonly number[], ends: Uint32Array, position: number): number {
    const start = position * this.#words;
    for (let word = 0; word < this.#words; word++) {
      const difference = address[word]! - ends[start + word]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (let word = 0; word < one.length; word++) {
    const difference = one[word]! - other[word]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

function wordsOf(address: IpAddress): readonly [number] | Ipv6Words {
  return 'v4' in address ? [address.v4] : address.v6;
}
