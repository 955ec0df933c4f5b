import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Format } from '../openrtb/fields/banner.ts';
import type { Imp } from '../openrtb/fields/imp.ts';

/** The fields of a bid that give the size of its ad. */
export interface AdSize {
  readonly w?: number | undefined;
  readonly h?: number | undefined;
  readonly wratio?: number | undefined;
  readonly hratio?: number | undefined;
}

/**
 * Whether a banner bid has a size that the imp offers (OpenRTB 2.6 §3.2.6, §3.2.10). A bid without a size fits, and any
 * bid fits an imp that names no size: the standard requires neither. An interstitial takes any size up to its largest
 * size or the screen.
 */
export function fitsBanner(bid: AdSize, imp: Imp, device: BidRequest['device']): boolean {
  // Nearly all bids have the size that the imp names first.
  if (bid.w && bid.h && imp.banner?.w === bid.w && imp.banner.h === bid.h) return true;
  const offered = offeredSizes(imp);
  if (offered.length === 0) return true;
  if (bid.wratio !== undefined && bid.hratio !== undefined && bid.w === undefined) {
    return offered.some((size) => isRatio(size, bid.wratio!, bid.hratio!));
  }
  const { w, h } = bid;
  if (w === undefined || h === undefined) return true;
  if (offered.some((size) => (size.w === w && size.h === h) || fitsFlexibly(size, w, h))) return true;
  if (fitsRange(imp, w, h)) return true;
  if (imp.instl !== 1) return false;
  const screen = device?.w && device.h ? [{ w: device.w, h: device.h }] : [];
  return [...offered, ...screen].some((size) => w > 0 && h > 0 && w <= (size.w ?? 0) && h <= (size.h ?? 0));
}

function offeredSizes({ banner }: Imp): readonly Format[] {
  if (banner === undefined) return [];
  const sizes = banner.format ?? [];
  return banner.w && banner.h ? [...sizes, { w: banner.w, h: banner.h }] : sizes;
}

function isRatio(size: Format, w: number, h: number): boolean {
  return !!size.wratio && !!size.hratio && w * size.hratio === h * size.wratio;
}

/** Matches a flex size; the height may be off by less than 1 pixel of rounding. */
function fitsFlexibly({ wratio, hratio, wmin = 1 }: Format, w: number, h: number): boolean {
  return !!wratio && !!hratio && w >= wmin && Math.abs(h - (w * hratio) / wratio) < 1;
}

/** Matches the range `wmin`…`hmax` of OpenRTB 2.3, deprecated but still sent; it widens `w` and `h`. */
function fitsRange({ banner }: Imp, w: number, h: number): boolean {
  if (!banner?.wmax || !banner.hmax) return false;
  const { wmin = banner.w ?? banner.wmax, hmin = banner.h ?? banner.hmax, wmax, hmax } = banner;
  return w >= wmin && w <= wmax && h >= hmin && h <= hmax;
}
