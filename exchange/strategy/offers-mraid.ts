import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Imp } from '../openrtb/fields/imp.ts';
import { deviceTypesOf } from './devices.ts';

/** `imp.banner.api`: MRAID 2 and 3 (AdCOM list "API Frameworks"). */
const MRAID_APIS = [5, 6];
const CTV_TYPES: readonly unknown[] = deviceTypesOf('ctv') ?? [];

/** Whether the container runs MRAID; a television never does (specification, Creative specifications). */
export function offersMraid({ banner }: Imp, device: BidRequest['device']): boolean {
  return (banner?.api?.some((api) => MRAID_APIS.includes(api)) ?? false) && !CTV_TYPES.includes(device?.devicetype);
}
