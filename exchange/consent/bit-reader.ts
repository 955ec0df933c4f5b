const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const BITS_PER_CHARACTER = 6;
const NO_CHARACTER = -1;

const VALUE_OF = new Int8Array(128).fill(NO_CHARACTER);
for (let value = 0; value < ALPHABET.length; value++) VALUE_OF[ALPHABET.charCodeAt(value)] = value;

/**
 * Reads a base64url text bit by bit, most significant bit first, as the IAB encodes consent. Nothing is decoded in
 * advance.
 */
export class BitReader {
  readonly #text: string;
  #position = 0;
  #broken = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** True once a bit beyond the end was read; all values read since then mean nothing. */
  get broken(): boolean {
    return this.#broken;
  }

  get position(): number {
    return this.#position;
  }

  skipTo(position: number): void {
    this.#position = position;
  }

  bit(): boolean {
    const character = VALUE_OF[this.#text.charCodeAt(Math.floor(this.#position / BITS_PER_CHARACTER))] ?? NO_CHARACTER;
    if (character === NO_CHARACTER) this.#broken = true;
    const shift = BITS_PER_CHARACTER - 1 - (this.#position % BITS_PER_CHARACTER);
    this.#position += 1;
    return ((character >> shift) & 1) === 1;
  }

  /** Reads an unsigned integer of at most 31 bits. */
  integer(bits: number): number {
    let value = 0;
    for (let read = 0; read < bits; read++) value = (value << 1) | (this.bit() ? 1 : 0);
    return value;
  }
}
