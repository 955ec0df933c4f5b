import dns, { type LookupAddress } from 'node:dns';
import { SingleFlight } from '../../async/single-flight.ts';

/** Finds the addresses of a host name; at least one, or it fails. */
export type FindAddresses = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Looks up host names that others have written: each name once at a time, for all who ask for it meanwhile, and only so
 * many names at once. A caller that gives up leaves its look-up under way until that ends.
 */
export class NameLookups {
  readonly #find: FindAddresses;
  readonly #maxNames: number;
  readonly #underWay = new SingleFlight<readonly LookupAddress[]>();

  constructor(find: FindAddresses, maxNames: number) {
    this.#find = find;
    this.#maxNames = maxNames;
  }

  /** Fails with the code `EAI_AGAIN` when as many names as may be are being looked up. Nothing is kept for later. */
  readonly addressesOf: FindAddresses = async (hostname) => {
    const isNew = !this.#underWay.has(hostname);
    if (isNew && this.#underWay.size >= this.#maxNames) throw new TooManyLookups(hostname);
    return this.#underWay.run(() => this.#find(hostname), hostname);
  };
}

class TooManyLookups extends Error {
  override readonly name = 'TooManyLookups';
  readonly code = 'EAI_AGAIN';

  constructor(hostname: string) {
    super(`${hostname} was not looked up: too many names are`);
  }
}

/**
 * The addresses that the operating system has for a name: of /etc/hosts, of search domains and of the DNS. libuv runs
 * two such look-ups at a time (`getaddrinfo`), so two names whose DNS hangs keep all others waiting.
 */
export const systemAddresses: FindAddresses = new NameLookups(
  (hostname) =>
    new Promise((resolve, reject) => {
      dns.lookup(hostname, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
    }),
  256,
).addressesOf;
