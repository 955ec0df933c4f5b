import type { Network } from '../addresses/network-set.ts';

export interface ScreeningSettings {
  /** Whether devices may have private, loopback and reserved addresses. */
  readonly allowPrivateNetworks: boolean;
  /** Of data centres, proxies and whoever else sees no ads. */
  readonly blockedNetworks: readonly Network[];
  /** Sustained; ten seconds' worth may come at once. 0: no limit. IPv6 by /64, which is one customer's. */
  readonly maxRequestsPerSecondPerAddress: number;
  readonly maxRequestsPerSecondPerDevice: number;
  /** Requests without a key and without a device, of one caller's address. 0: no limit. */
  readonly maxKeylessRequestsPerSecondPerAddress: number;
  /** An id of the same publisher's that comes again within this is refused. 0: any may come again. */
  readonly replayWindowMs: number;
  /** Addresses and devices whose rates are remembered, each; beyond, those that were quiet longest are forgotten. */
  readonly maxRatesKept: number;
  /** Request ids remembered: when there are more within the window, it is shorter. */
  readonly maxIdsKept: number;
}

export const DEFAULT_SCREENING_SETTINGS: ScreeningSettings = {
  allowPrivateNetworks: false,
  blockedNetworks: [],
  maxRequestsPerSecondPerAddress: 100,
  maxRequestsPerSecondPerDevice: 10,
  maxKeylessRequestsPerSecondPerAddress: 1_000,
  replayWindowMs: 300_000,
  maxRatesKept: 200_000,
  maxIdsKept: 1_000_000,
};
