import { deviceFamilyOf } from '../../../exchange/invalid-traffic/device-family.ts';
import { parseIp } from '../../http/ip-address.ts';
import type { RequestOrigin } from '../tracking/request-origin.ts';
import type { AuctionOrder } from './order.ts';

/** What the tracking URLs of an order's sales say of it. */
export function originOf({ request: { device }, askedBy }: Pick<AuctionOrder, 'request' | 'askedBy'>): RequestOrigin {
  const { ua, ip, ipv6 } = device ?? {};
  const stated = ip ?? ipv6;
  const { address, isKeyed, isTag } = askedBy;
  return {
    hasDevice: Boolean(ua || stated),
    isKeyed,
    isTag,
    family: ua ? deviceFamilyOf(ua) : null,
    country: null,
    deviceAddress: stated ? parseIp(stated) : null,
    askerAddress: address === '' ? null : parseIp(address),
  };
}
