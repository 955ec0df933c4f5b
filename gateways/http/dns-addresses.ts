import { type LookupAddress, promises } from 'node:dns';
import { type FindAddresses, NameLookups } from './name-lookups.ts';

/** ms that a DNS server has for the first try; a further one has about twice as many. */
const TRY_MS = 1_000;
const TRIES = 2;
/** ms after which /etc/resolv.conf is read again. */
const CONFIGURATION_LASTS_MS = 30_000;
/** Far fewer than the ids that queries to one server can have. */
const MAX_NAMES = 4_096;

/**
 * Makes look-ups that ask the DNS servers of /etc/resolv.conf, or `servers`, without a thread: a name whose DNS hangs
 * delays no other. The name is taken as it stands: /etc/hosts and search domains do not count. IPv4 addresses come
 * first; a connection that cannot use them goes on to those of IPv6.
 */
export function dnsLookups(servers?: readonly string[]): FindAddresses {
  let resolver: promises.Resolver | null = null;
  let readAtMs = 0;
  return new NameLookups(async (hostname) => {
    const nowMs = performance.now();
    if (resolver === null || nowMs >= readAtMs + CONFIGURATION_LASTS_MS) {
      resolver = new promises.Resolver({ timeout: TRY_MS, tries: TRIES });
      if (servers !== undefined) resolver.setServers(servers);
      readAtMs = nowMs;
    }
    return ask(resolver, hostname);
  }, MAX_NAMES).addressesOf;
}

async function ask(resolver: promises.Resolver, hostname: string): Promise<LookupAddress[]> {
  const asked = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = asked.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
  if (found.length > 0) return found;
  const faults = asked.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  // "There is no address of this family" says less than what became of the other query.
  throw faults.find(({ code }) => code !== 'ENODATA') ?? faults[0];
}
