import { countryOf } from '../../exchange/strategy/countries.ts';
import type { IpAddress } from '../addresses/ip-address.ts';
import { customerNetworkKey } from '../screening/customer-of.ts';
import { GenerationalCache } from '../screening/generations.ts';

/** Upper bound of addresses whose countries are remembered: a lookup in the database takes some microseconds. */
const KEPT = 100_000;

/** The part of a reader of a MaxMind database, of countries or cities, that is used. */
interface CountryReader {
  get(address: string): unknown;
}

interface CountryRecord {
  readonly country?: { readonly iso_code?: string };
}

/** Looks up the country of an address in a MaxMind database. */
export class CountryLookup {
  readonly #reader: CountryReader;
  readonly #known = new GenerationalCache<number, string | null>(Number.POSITIVE_INFINITY, KEPT, 0);

  constructor(reader: CountryReader) {
    this.#reader = reader;
  }

  /** ISO 3166-1 alpha-3; null when unknown. */
  countryOf(address: IpAddress): string | null {
    // Keys of IPv4 addresses and fingerprints of IPv6 ones do not overlap: the former are below 2^32, and one in two
    // million of the latter is.
    const key = customerNetworkKey(address);
    const known = this.#known.get(key, 0);
    if (known !== undefined) return known;
    const country = this.#read(address);
    this.#known.put(key, country, 0);
    return country;
  }

  #read(address: IpAddress): string | null {
    const record = this.#reader.get(textOf(address)) as CountryRecord | null;
    const code = record?.country?.iso_code;
    return code === undefined ? null : countryOf(code);
  }
}

function textOf(address: IpAddress): string {
  if ('v4' in address) return [24, 16, 8, 0].map((bits) => (address.v4 >>> bits) & 0xff).join('.');
  return address.v6.map((word) => `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`).join(':');
}
