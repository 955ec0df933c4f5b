import type { Network } from '../addresses/network-set.ts';

export interface InvalidTrafficSettings {
  /** Whether private and loopback callers may be anybody's: then they give no signals. */
  readonly allowPrivateNetworks: boolean;
  /** Of data centres, proxies and whoever else sees no ads. */
  readonly blockedNetworks: readonly Network[];
  /** Calls of pixels by devices of one address, sustained; ten seconds' worth may come at once. 0: any number. */
  readonly maxImpressionsPerSecondPerAddress: number;
}

/** A carrier's address with a thousand viewers behind it, each with an ad every ten seconds, comes to as many. */
export const DEFAULT_INVALID_TRAFFIC_SETTINGS: InvalidTrafficSettings = {
  allowPrivateNetworks: false,
  blockedNetworks: [],
  maxImpressionsPerSecondPerAddress: 100,
};
