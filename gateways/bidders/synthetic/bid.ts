import type { BidRequest } from '#exchange/openrtb/bid-request';
import type { Imp } from '#exchange/openrtb/fields/imp';
import { bannerMarkup } from './markup/banner.ts';
import { nativeMarkup } from './markup/native.ts';
import { adDurationSeconds, vastMarkup } from './markup/vast.ts';
import type { Offer } from './offer.ts';
import type { SyntheticBidder } from './synthetic-bidders.ts';

/** Upper bound of ads of one DSP in one break. */
const MAX_ADS_PER_IMP = 4;

/**
 * The answer to a bid request (OpenRTB 2.6 §4.2), or null for none. A multi-format imp gets the first format of the
 * order here; a pod's dynamic portion (§7.6.2) gets as many spots as fill it, each of another advertiser.
 * `creativesUrl`: where the edges serve the files.
 */
export function bidFor(
  request: BidRequest,
  persona: SyntheticBidder,
  creativesUrl: string,
  random: () => number,
): object | null {
  const bids = request.imp.flatMap((imp) => {
    const priceCpm = persona.priceCpm(imp.bidfloor ?? 0, random);
    const offer = priceCpm === null ? null : offerFor(imp, persona, creativesUrl);
    if (offer === null) return [];
    return Array.from({ length: adsIn(imp) }, (_, spot) => ({
      id: `${request.id}-${imp.id}${suffix(spot)}`,
      impid: imp.id,
      price: priceCpm,
      cid: `${persona.name}-campaign${suffix(spot)}`,
      crid: `${persona.name}-creative-${offer.mtype}${suffix(spot)}`,
      adomain: [`${persona.path.slice(1)}${suffix(spot)}.example`],
      ...offer,
    }));
  });
  if (bids.length === 0) return null;
  return { id: request.id, cur: 'USD', seatbid: [{ seat: persona.name, bid: bids }] };
}

function suffix(spot: number): string {
  return spot === 0 ? '' : `-${spot + 1}`;
}

function adsIn({ video, audio }: Imp): number {
  const slot = video ?? audio;
  if (!slot?.poddur) return 1;
  const room = Math.floor(slot.poddur / adDurationSeconds(slot));
  return Math.max(1, Math.min(room, slot.maxseq || MAX_ADS_PER_IMP, MAX_ADS_PER_IMP));
}

function offerFor(imp: Imp, persona: SyntheticBidder, creativesUrl: string): Offer | null {
  const origin = { creativesUrl, secure: imp.secure === 1 };
  if (imp.video) return vastMarkup('video', imp.video, persona, origin);
  if (imp.audio) return vastMarkup('audio', imp.audio, persona, origin);
  if (imp.banner) return bannerMarkup(imp.banner, persona);
  if (imp.native) return nativeMarkup(imp.native.request, persona, origin);
  return null;
}
