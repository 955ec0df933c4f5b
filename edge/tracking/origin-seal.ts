import { DEVICE_FAMILIES } from '../../exchange/invalid-traffic/device-family.ts';
import type { IpAddress } from '../addresses/ip-address.ts';
import type { RequestOrigin, SignedOrigin } from './request-origin.ts';

const BLOCK_BYTES = 16;
/** Characters of a sealed origin. */
export const ORIGIN_LENGTH = 22;

const HAS_DEVICE = 1;
const IS_KEYED = 2;
const IS_TAG = 4;
const IS_VERIFIED = 8;

/** Positions in a block: flags 0, family 1, country 2–4, network 5–8, asker 9–12, zeros 13–15. */
const FAMILY_AT = 1;
const COUNTRY_AT = 2;
const NETWORK_AT = 5;
const ASKER_AT = 9;
const ZEROS_AT = 13;
const COUNTRY_LETTERS = 3;

/**
 * Encrypts the part of an ad request that a verdict needs, for a tracking URL. No other party can read it or see that
 * two are alike: it is added to a key stream of its own (see id-pad.ts). The URL's MAC protects it from changes. Of
 * addresses it holds only keyed hashes of 32 bits.
 */
export class OriginCipher {
  readonly #networkSeed: number;
  readonly #askerSeed: number;
  readonly #block = Buffer.alloc(BLOCK_BYTES);

  /** `seeds` has 8 bytes, 4 for each of two hashes. */
  constructor(seeds: Buffer) {
    this.#networkSeed = seeds.readUInt32BE(0);
    this.#askerSeed = seeds.readUInt32BE(4);
  }

  /** Returns {@link ORIGIN_LENGTH} URL-safe characters. `stream` has at least 16 bytes. */
  seal(origin: RequestOrigin, stream: Buffer): string {
    const block = this.#block;
    stream.copy(block, 0, 0, BLOCK_BYTES);
    const { country, deviceAddress, askerAddress, family } = origin;
    block[0]! ^= flagsOf(origin);
    if (family !== null) block[FAMILY_AT]! ^= 1 + DEVICE_FAMILIES.indexOf(family);
    if (country !== null) {
      for (let at = 0; at < COUNTRY_LETTERS; at++) block[COUNTRY_AT + at]! ^= country.charCodeAt(at);
    }
    if (deviceAddress !== null) add(block, NETWORK_AT, networkHash(deviceAddress, this.#networkSeed));
    if (askerAddress !== null) add(block, ASKER_AT, customerHash(askerAddress, this.#askerSeed));
    return block.toString('base64url');
  }

  /** Null for a text that {@link seal} did not write. */
  open(sealed: string, stream: Buffer): SignedOrigin | null {
    const block = this.#block;
    if (block.write(sealed, 'base64url') !== BLOCK_BYTES) return null;
    for (let at = 0; at < BLOCK_BYTES; at++) block[at]! ^= stream[at]!;
    for (let at = ZEROS_AT; at < BLOCK_BYTES; at++) if (block[at] !== 0) return null;
    return new OpenedOrigin(block, this.#networkSeed, this.#askerSeed);
  }
}

function flagsOf({ hasDevice, isKeyed, isTag, isVerified }: RequestOrigin): number {
  const asked = (hasDevice ? HAS_DEVICE : 0) | (isKeyed ? IS_KEYED : 0);
  return asked | (isTag ? IS_TAG : 0) | (isVerified ? IS_VERIFIED : 0);
}

class OpenedOrigin implements SignedOrigin {
  readonly hasDevice: boolean;
  readonly isKeyed: boolean;
  readonly isTag: boolean;
  readonly isVerified: boolean;
  readonly family: SignedOrigin['family'];
  readonly country: string | null;
  readonly #network: number;
  readonly #networkSeed: number;
  readonly #asker: number;
  readonly #askerSeed: number;

  constructor(block: Buffer, networkSeed: number, askerSeed: number) {
    const flags = block[0]!;
    this.hasDevice = (flags & HAS_DEVICE) !== 0;
    this.isKeyed = (flags & IS_KEYED) !== 0;
    this.isTag = (flags & IS_TAG) !== 0;
    this.isVerified = (flags & IS_VERIFIED) !== 0;
    this.family = DEVICE_FAMILIES[block[FAMILY_AT]! - 1] ?? null;
    this.country = block[COUNTRY_AT] === 0 ? null : block.toString('latin1', COUNTRY_AT, COUNTRY_AT + COUNTRY_LETTERS);
    this.#network = block.readUInt32BE(NETWORK_AT);
    this.#asker = block.readUInt32BE(ASKER_AT);
    this.#networkSeed = networkSeed;
    this.#askerSeed = askerSeed;
  }

  isInNetwork(address: IpAddress): boolean | null {
    return this.#network === 0 ? null : networkHash(address, this.#networkSeed) === this.#network;
  }

  isAsker(address: IpAddress): boolean | null {
    return this.#asker === 0 ? null : customerHash(address, this.#askerSeed) === this.#asker;
  }
}

/** Hash of a /24 of IPv4 or a /48 of IPv6; never 0. */
function networkHash(address: IpAddress, seed: number): number {
  if ('v4' in address) return hashWords(address.v4 >>> 8, 4, seed);
  return hashWords(address.v6[0], address.v6[1] >>> 16, seed);
}

/** Hash of an address of IPv4 or a /64 of IPv6, the smallest network of one customer; never 0. */
function customerHash(address: IpAddress, seed: number): number {
  if ('v4' in address) return hashWords(address.v4, 4, seed);
  return hashWords(address.v6[0], address.v6[1], seed);
}

/** MurmurHash3 of two words. The result is encrypted, so no party that could look for collisions sees it. */
function hashWords(first: number, second: number, seed: number): number {
  const hash = mixWord(mixWord(seed, first), second) ^ 8;
  let end = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  end = Math.imul(end ^ (end >>> 13), 0xc2b2ae35);
  return (end ^ (end >>> 16)) >>> 0 || 1;
}

function mixWord(hash: number, word: number): number {
  let key = Math.imul(word, 0xcc9e2d51);
  key = Math.imul((key << 15) | (key >>> 17), 0x1b873593);
  const mix = hash ^ key;
  return (Math.imul((mix << 13) | (mix >>> 19), 5) + 0xe6546b64) | 0;
}

function add(block: Buffer, at: number, word: number): void {
  block[at]! ^= word >>> 24;
  block[at + 1]! ^= (word >>> 16) & 0xff;
  block[at + 2]! ^= (word >>> 8) & 0xff;
  block[at + 3]! ^= word & 0xff;
}
