import type { BlockReason } from '../../exchange/fraud/block-reason.ts';
import type { IpAddress } from '../addresses/ip-address.ts';
import { NetworkSet, type Networks, parseNetwork } from '../addresses/network-set.ts';
import { GLOBAL_V6_NETWORK, SPECIAL_V4_NETWORKS, SPECIAL_V6_NETWORKS } from '../addresses/special-networks.ts';
import type { ScreeningSettings } from './settings.ts';

const SPECIAL_NETWORKS = new NetworkSet(
  [...SPECIAL_V4_NETWORKS, ...SPECIAL_V6_NETWORKS].map(([network, prefix]) => parseNetwork(`${network}/${prefix}`)!),
);
const GLOBAL_V6_NETWORKS = new NetworkSet([parseNetwork(GLOBAL_V6_NETWORK.join('/'))!]);

/** Judges the addresses that devices state. */
export class AddressScreening {
  readonly #blocked: Networks;
  readonly #allowPrivate: boolean;

  constructor({ blockedNetworks, allowPrivateNetworks }: ScreeningSettings) {
    this.#blocked = blockedNetworks;
    this.#allowPrivate = allowPrivateNetworks;
  }

  blockReason(address: IpAddress): BlockReason | null {
    if (this.#blocked.has(address)) return 'blocked-network';
    if (this.#allowPrivate || isPublic(address)) return null;
    return 'private-address';
  }
}

/** Whether the address may be a viewer's: it is neither private nor reserved. */
export function isPublic(address: IpAddress): boolean {
  return !SPECIAL_NETWORKS.has(address) && ('v4' in address || GLOBAL_V6_NETWORKS.has(address));
}
