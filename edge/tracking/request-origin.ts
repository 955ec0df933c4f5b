import type { DeviceFamily } from '../../exchange/invalid-traffic/device-family.ts';
import type { IpAddress } from '../addresses/ip-address.ts';

/** The part of the ad request of a sale that a verdict on its impression needs. */
export interface RequestOrigin {
  /** Whether the request's `device` has an address or a user agent. */
  readonly hasDevice: boolean;
  /** Whether it came with a key of the publisher or its account. */
  readonly isKeyed: boolean;
  /** Whether its publisher is verified: the ads.txt of the inventory that it names lists the exchange. */
  readonly isVerified: boolean;
  /** Whether a tag made it: the viewer's device itself was the caller. */
  readonly isTag: boolean;
  /** Family of the device by its `device.ua`; null when unknown. */
  readonly family: DeviceFamily | null;
  /** Country of the device, ISO 3166-1 alpha-3; null when unknown or where countries are not compared. */
  readonly country: string | null;
  /** `device.ip` or `device.ipv6`. */
  readonly deviceAddress: IpAddress | null;
  /** Address of the caller. */
  readonly askerAddress: IpAddress | null;
}

/** The request origin as a tracking URL carries it: of addresses, it can only tell whether another is the same. */
export interface SignedOrigin extends Omit<RequestOrigin, 'deviceAddress' | 'askerAddress'> {
  /**
   * Whether an address is in the device's network (a /24 of IPv4, a /48 of IPv6); null when the device's address is
   * unknown.
   */
  isInNetwork(address: IpAddress): boolean | null;
  /** Whether it is the requester's address (IPv6 by /64, which is one customer's); null when unknown. */
  isAsker(address: IpAddress): boolean | null;
}

/** Origin of a request of which nothing is known. */
export const UNKNOWN_ORIGIN: RequestOrigin = {
  hasDevice: false,
  isKeyed: false,
  isVerified: false,
  isTag: false,
  family: null,
  country: null,
  deviceAddress: null,
  askerAddress: null,
};
