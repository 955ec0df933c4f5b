import type { DeviceFamily } from '../../exchange/invalid-traffic/device-family.ts';
import type { IpAddress } from '../addresses/ip-address.ts';

/** What a verdict on an impression must know of the ad request that it was sold for. */
export interface RequestOrigin {
  /** Its `device` said an address or a user agent. */
  readonly hasDevice: boolean;
  /** It came with a key of the source or its account. */
  readonly isKeyed: boolean;
  /** Its source is verified: the ads.txt of what it claims to be lists the exchange. */
  readonly isVerified: boolean;
  /** A tag made it: the viewer's device asked itself. */
  readonly isTag: boolean;
  /** What kind of device its `device.ua` is of; null when that is not known. */
  readonly family: DeviceFamily | null;
  /** Where its device is, ISO 3166-1 alpha-3; null when that is not known or nobody compares it. */
  readonly country: string | null;
  /** `device.ip` or `device.ipv6`. */
  readonly deviceAddress: IpAddress | null;
  /** Of the machine that asked. */
  readonly askerAddress: IpAddress | null;
}

/** The same as its tracking URL says it: of addresses, only whether another is the same. */
export interface SignedOrigin extends Omit<RequestOrigin, 'deviceAddress' | 'askerAddress'> {
  /** Whether an address is in the device's network (a /24 of IPv4, a /48 of IPv6); null where no address of it is known. */
  isInNetwork(address: IpAddress): boolean | null;
  /** Whether it is the machine's that asked (IPv6 by /64, which is one customer's); null where that is not known. */
  isAsker(address: IpAddress): boolean | null;
}

/** Of a request of which nothing is known. */
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
