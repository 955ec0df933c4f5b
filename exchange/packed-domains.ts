import { advertiserDomain } from './auction/advertiser-domain.ts';

/** Never part of a domain: what may be stored as one has no white space. */
const SEPARATOR = '\n';
const SEPARATOR_CODE = SEPARATOR.charCodeAt(0);
/** Lists as arrays that are kept beside their packed form, the most recently used: what busy sources read in every auction. */
const MAX_UNPACKED = 64;
/** Two bytes say where a domain begins; longer texts need four. */
const MAX_TWO_BYTE_LENGTH = 65_536;

const unpacked = new Map<PackedDomains, readonly string[]>();

/** Equal lists are one: accounts give all their sources the same. What nobody holds any more is let go of. */
const interned = new Map<string, WeakRef<PackedDomains>>();
const forget = new FinalizationRegistry<string>((text) => {
  if (interned.get(text)?.deref() === undefined) interned.delete(text);
});

/**
 * A block list of domains as every edge and management process holds it: one text and where each domain begins, by the domain's
 * order, so that 1,000 domains of 20 characters take 23 KB instead of some 50 KB as an array, and no set is built to look one up.
 */
export class PackedDomains {
  /** As stated, in the order stated. */
  readonly #stated: string;
  /** As advertisers are known (advertiser-domain.ts), each once; the same text as `#stated` where that is nothing else. */
  readonly #known: string;
  /** Where each begins in `#known`, sorted by code units. */
  readonly #starts: Uint16Array | Uint32Array;
  readonly length: number;

  /** `text` is the list, joined. */
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

  /** Of distinct domains. */
  get size(): number {
    return this.#starts.length;
  }

  /** Bytes of what is held, without the object's own few; text of other than Latin letters takes two a character. */
  get heldBytes(): number {
    const texts = this.#known === this.#stated ? [this.#stated] : [this.#stated, this.#known];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of Latin-1 is one byte a character
    const bytes = texts.map((text) => (/^[\u0000-\u00ff]*$/.test(text) ? text.length : text.length * 2));
    return bytes.reduce((sum, of) => sum + of, this.#starts.byteLength);
  }

  /** Whether the list has this domain, as `advertiserDomain` writes it: some ten comparisons among a thousand. */
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

  /** As stated, in the order stated. Not to be changed: it is shared. */
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

  /** Below 0 when the domain that begins at `start` comes before `domain`, 0 when it is the same. */
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

/** The list, packed; the same object for the same list. */
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

/** A list of domains as it is stated, or packed. */
export type DomainList = readonly string[] | PackedDomains;

export function domainListOf(domains: DomainList): readonly string[] {
  return domains instanceof PackedDomains ? domains.list() : domains;
}
