import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * What accounts' URLs must never lead to, whatever networks they may reach: the ports that this process listens on, at any address of
 * this machine, and the stores that it uses, wherever they are. Ports are added as they are opened.
 */
export class OwnEndpoints {
  readonly #listening = new Set<number>();
  readonly #stores: { readonly host: string; readonly port: number }[] = [];

  listensOn(port: number): void {
    this.#listening.add(port);
  }

  uses(host: string, port: number): void {
    this.#stores.push({ host: host.startsWith('[') ? host.slice(1, -1) : host, port });
  }

  /** False for nearly all ports: whatever has another one leads to none of ours. */
  hasPort(port: number): boolean {
    return this.#listening.has(port) || this.#stores.some((store) => store.port === port);
  }

  /** Whether any of these IP addresses, at this port, is ours. A store whose name cannot be looked up now is nowhere. */
  async include(addresses: readonly string[], port: number): Promise<boolean> {
    const machine = thisMachine();
    const areOfMachine = addresses.some((address) => contains(machine, address));
    if (areOfMachine && this.#listening.has(port)) return true;
    for (const { host } of this.#stores.filter((store) => store.port === port)) {
      const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
      const store = new BlockList();
      for (const { address } of found) store.addAddress(address, familyOf(address));
      if (addresses.some((address) => contains(store, address))) return true;
      // A store of this machine may listen on each of its addresses.
      if (areOfMachine && found.some(({ address }) => contains(machine, address))) return true;
    }
    return false;
  }
}

/** Loopback, the unspecified address, which leads to loopback, and each address of an interface, as they are now. */
function thisMachine(): BlockList {
  const addresses = new BlockList();
  addresses.addSubnet('127.0.0.0', 8, 'ipv4');
  addresses.addSubnet('0.0.0.0', 8, 'ipv4');
  addresses.addAddress('::1', 'ipv6');
  addresses.addAddress('::', 'ipv6');
  for (const { address } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
    addresses.addAddress(address.split('%', 1)[0]!, familyOf(address));
  }
  return addresses;
}

/** v4 addresses mapped into v6 are judged as v4. */
function contains(list: BlockList, address: string): boolean {
  return list.check(address.split('%', 1)[0]!, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
