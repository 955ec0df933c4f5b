import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Format } from '../openrtb/fields/banner.ts';
import type { Imp } from '../openrtb/fields/imp.ts';

/** What of a bid says how large its ad is. */
export interface AdSize {
  readonly w?: number | undefined;
  readonly h?: number | undefined;
  readonly wratio?: number | undefined;
  readonly hratio?: number | undefined;
}

/**
 * Whether a banner bid's size is one that the imp offers (OpenRTB 2.6 §3.2.6, §3.2.10). A bid without a size fits, as
 * does any bid where the imp names none: the standard asks for neither. An interstitial takes whatever its largest size
 * or the screen can hold.
 */
export function fitsBanner(bid: AdSize, imp: Imp, device: BidRequest['device']): boolean {
  // The size that the imp names first is the one of nearly all bids.
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

/** A flex size; the height may be rounded to a pixel. */
function fitsFlexibly({ wratio, hratio, wmin = 1 }: Format, w: number, h: number): boolean {
  return !!wratio && !!hratio && w >= wmin && Math.abs(h - (w * hratio) / wratio) < 1;
}

/** OpenRTB 2.3's `wmin`…`hmax`, deprecated but still sent; they widen `w` and `h`. */
function fitsRange({ banner }: Imp, w: number, h: number): boolean {
  if (!banner?.wmax || !banner.hmax) return false;
  const { wmin = banner.w ?? banner.wmax, hmin = banner.h ?? banner.hmax, wmax, hmax } = banner;
  return w >= wmin && w <= wmax && h >= hmin && h <= hmax;
}
