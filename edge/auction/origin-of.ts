import { deviceFamilyOf } from '../../exchange/invalid-traffic/device-family.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import { countryOf as countryNamed } from '../../exchange/strategy/countries.ts';
import { type IpAddress, parseIp } from '../addresses/ip-address.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { RequestOrigin } from '../tracking/request-origin.ts';

/** The request origin that the tracking URLs of an auction's sales carry. */
export function requestOriginOf(
  { request: { device }, askedBy, verified }: Pick<AuctionContext, 'request' | 'askedBy' | 'verified'>,
  countryOf?: (address: IpAddress) => string | null,
): RequestOrigin {
  const { ua, ip, ipv6 } = device ?? {};
  const stated = ip ?? ipv6;
  const deviceAddress = stated ? parseIp(stated) : null;
  const { address, isKeyed, isTag } = askedBy;
  return {
    hasDevice: Boolean(ua || stated),
    isKeyed,
    isVerified: verified,
    isTag,
    family: ua ? deviceFamilyOf(ua) : null,
    country: countryOf === undefined ? null : deviceCountry(device, deviceAddress, countryOf),
    deviceAddress,
    askerAddress: address === '' ? null : parseIp(address),
  };
}

/**
 * The device's country: that of its address comes before the one that the request states. A roaming phone is in another
 * country than its address, at the request and at the render alike.
 */
function deviceCountry(
  device: BidRequest['device'],
  address: IpAddress | null,
  countryOf: (address: IpAddress) => string | null,
): string | null {
  const found = address === null ? null : countryOf(address);
  if (found !== null) return found;
  const stated = device?.geo?.country;
  return typeof stated === 'string' ? countryNamed(stated) : null;
}
