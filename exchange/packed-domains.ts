import { advertiserDomain } from './auction/advertiser-domain.ts';

/** Separates the domains; a stored domain never contains white space. */
const SEPARATOR = '\n';
const SEPARATOR_CODE = SEPARATOR.charCodeAt(0);
/**
 * The number of recently used lists that are cached as arrays beside their packed form, for sources that read them in
 * every auction.
 */
const MAX_UNPACKED = 64;
/** The longest text whose offsets fit into two bytes; longer texts need four. */
const MAX_TWO_BYTE_LENGTH = 65_536;

const unpacked = new Map<PackedDomains, readonly string[]>();

/**
 * The packed form of each list, so that equal lists share one: accounts give the same list to all their sources. A list
 * that is no longer used is dropped.
 */
const interned = new Map<string, WeakRef<PackedDomains>>();
const forget = new FinalizationRegistry<string>((text) => {
  if (interned.get(text)?.deref() === undefined) interned.delete(text);
});

/**
 * A block list of domains, as every edge and management process holds it. It is one text and the offsets of its
 * domains, sorted by domain: 1,000 domains of 20 characters take 23 KB instead of some 50 KB as an array, and no set is
 * built for lookups.
 */
export class PackedDomains {
  /** The domains as stated, in that order, joined. */
  readonly #stated: string;
  /**
   * The domains in the form of advertiser-domain.ts, joined; the same text as `#stated` where the form changes nothing.
   */
  readonly #known: string;
  /** The offset of each distinct domain in `#known`, sorted by the domain's code units. */
  readonly #starts: Uint16Array | Uint32Array;
  readonly length: number;

  /** `text` is `stated`, joined by the separator. */
  constructor(stated: readonly string[], text: string) {
    this.#stated = text;
    this.length = stated.length;
    const known = stated.map(advertiserDomain);
    const isPlain = known.every((domain, index) => domain === stated[index]);
    this.#known = isPlain ? this.#stated : known.join(SEPARATOR);
    const first = new Map<string, number>();
    let start = 0;
    for (const domain of known) {
      if (domain !== '' && !first.has(domain)) first.set(domain, start);
      start += domain.length + 1;
    }
    const starts = [...first].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, at]) => at);
    this.#starts = start <= MAX_TWO_BYTE_LENGTH ? Uint16Array.from(starts) : Uint32Array.from(starts);
  }

  /** The number of distinct domains. */
  get size(): number {
    return this.#starts.length;
  }

  /**
   * Bytes of the texts and offsets, without the few of the object itself. Text outside Latin-1 takes two bytes a
   * character.
   */
  get heldBytes(): number {
    const texts = this.#known === this.#stated ? [this.#stated] : [this.#stated, this.#known];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of Latin-1 is one byte a character
    const bytes = texts.map((text) => (/^[\u0000-\u00ff]*$/.test(text) ? text.length : text.length * 2));
    return bytes.reduce((sum, of) => sum + of, this.#starts.byteLength);
  }

  /**
   * Whether the list has this domain, in the form of `advertiserDomain`; takes some 10 comparisons for 1,000 domains.
   */
  has(domain: string): boolean {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(this.#starts[middle]!, domain);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }

  /** The domains as stated, in that order. The array is shared and must not be changed. */
  list(): readonly string[] {
    if (this.length === 0) return [];
    const known = unpacked.get(this);
    if (known !== undefined) {
      unpacked.delete(this);
      unpacked.set(this, known);
      return known;
    }
    const list = this.#stated.split(SEPARATOR);
    unpacked.set(this, list);
    if (unpacked.size > MAX_UNPACKED) unpacked.delete(unpacked.keys().next().value!);
    return list;
  }

  toJSON(): readonly string[] {
    return this.list();
  }

  /** Compares the domain at `start` with `domain`: below 0 when it comes before, 0 when it is the same. */
  #compare(start: number, domain: string): number {
    const text = this.#known;
    const { length } = domain;
    for (let index = 0; index < length; index++) {
      const at = start + index;
      const code = at < text.length ? text.charCodeAt(at) : SEPARATOR_CODE;
      const difference = code - domain.charCodeAt(index);
      if (difference !== 0) return code === SEPARATOR_CODE ? -1 : difference;
    }
    const end = start + length;
    return end === text.length || text.charCodeAt(end) === SEPARATOR_CODE ? 0 : 1;
  }
}

const NONE = new PackedDomains([], '');

/** Packs a list of domains. Equal lists give the same object. */
export function packDomains(stated: readonly string[]): PackedDomains {
  if (stated.length === 0) return NONE;
  const text = stated.join(SEPARATOR);
  const known = interned.get(text)?.deref();
  if (known !== undefined) return known;
  const packed = new PackedDomains(stated, text);
  interned.set(text, new WeakRef(packed));
  forget.register(packed, text);
  return packed;
}

/** A list of domains, as stated or packed. */
export type DomainList = readonly string[] | PackedDomains;

export function domainListOf(domains: DomainList): readonly string[] {
  return domains instanceof PackedDomains ? domains.list() : domains;
}
