import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Endpoints that URLs set by accounts must never lead to, whatever networks are allowed: the ports that this process
 * listens on, at any address of this machine, and the stores that it uses, wherever they are. Ports are added as they
 * are opened.
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

  /** Whether the port is one of ours. False for nearly all ports, so that most URLs need no further check. */
  hasPort(port: number): boolean {
    return this.#listening.has(port) || this.#stores.some((store) => store.port === port);
  }

  /**
   * Whether any of these IP addresses, at this port, is ours. A store whose name cannot be looked up now matches no
   * address.
   */
  async include(addresses: readonly string[], port: number): Promise<boolean> {
    const machine = thisMachine();
    const areOfMachine = addresses.some((address) => contains(machine, address));
    if (areOfMachine && this.#listening.has(port)) return true;
    for (const { host } of this.#stores.filter((store) => store.port === port)) {
      const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
      const store = new BlockList();
      for (const { address } of found) store.addAddress(address, familyOf(address));
      if (addresses.some((address) => contains(store, address))) return true;
      // A store on this machine may listen on each address of the machine.
      if (areOfMachine && found.some(({ address }) => contains(machine, address))) return true;
    }
    return false;
  }
}

/**
 * The current addresses of this machine: loopback, the unspecified address (it leads to loopback), and those of all
 * interfaces.
 */
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

/** BlockList treats v4 addresses mapped into v6 as v4. */
function contains(list: BlockList, address: string): boolean {
  return list.check(address.split('%', 1)[0]!, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
