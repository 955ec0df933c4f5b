import { NetworkSet, type Networks } from '../addresses/network-set.ts';

export interface ScreeningSettings {
  /** Whether devices may have private, loopback and reserved addresses. */
  readonly allowPrivateNetworks: boolean;
  /** Networks of data centres, proxies and other machines that see no ads. */
  readonly blockedNetworks: Networks;
  /**
   * Sustained rate; ten seconds' worth may come at once. 0: no limit. IPv6 is counted by /64, which is one customer's.
   */
  readonly maxRequestsPerSecondPerAddress: number;
  readonly maxRequestsPerSecondPerDevice: number;
  /** Rate of requests without a key and without a device from one caller's address. 0: no limit. */
  readonly maxKeylessRequestsPerSecondPerAddress: number;
  /** A request id that the same publisher repeats within this many ms is refused. 0: repeats are allowed. */
  readonly replayWindowMs: number;
  /**
   * Upper bound of the addresses, and of the devices, whose rates are remembered; beyond it, those that were quiet
   * longest are forgotten.
   */
  readonly maxRatesKept: number;
  /** Upper bound of request ids remembered. With more of them in the window, the window is shorter. */
  readonly maxIdsKept: number;
}

export const DEFAULT_SCREENING_SETTINGS: ScreeningSettings = {
  allowPrivateNetworks: false,
  blockedNetworks: new NetworkSet([]),
  maxRequestsPerSecondPerAddress: 100,
  maxRequestsPerSecondPerDevice: 10,
  maxKeylessRequestsPerSecondPerAddress: 1_000,
  replayWindowMs: 300_000,
  maxRatesKept: 200_000,
  maxIdsKept: 1_000_000,
};
