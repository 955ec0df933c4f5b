import { NetworkSet, type Networks } from '../addresses/network-set.ts';

export interface InvalidTrafficSettings {
  /** Whether private and loopback callers are allowed as viewers: they then give no signals. */
  readonly allowPrivateNetworks: boolean;
  /** Networks of data centres, proxies and other machines that see no ads. */
  readonly blockedNetworks: Networks;
  /** Sustained rate of pixel calls by devices of one address; ten seconds' worth may come at once. 0: no limit. */
  readonly maxImpressionsPerSecondPerAddress: number;
}

/**
 * The default rate is that of a carrier's address with a thousand viewers behind it, each with an ad every ten seconds.
 */
export const DEFAULT_INVALID_TRAFFIC_SETTINGS: InvalidTrafficSettings = {
  allowPrivateNetworks: false,
  blockedNetworks: new NetworkSet([]),
  maxImpressionsPerSecondPerAddress: 100,
};
