import type { BidRequest, Imp } from '../../../exchange/openrtb/bid-request.ts';
import { bannerMarkup } from './markup/banner.ts';
import { nativeMarkup } from './markup/native.ts';
import { vastMarkup } from './markup/vast.ts';
import type { Offer } from './offer.ts';
import type { Persona } from './personas.ts';

/** The answer to a bid request (OpenRTB 2.6 §4.2), or null for none. A multi-format imp gets the first format it lists here. */
export function bidFor(request: BidRequest, persona: Persona, random: () => number): object | null {
  const bids = request.imp.flatMap((imp) => {
    const priceCpm = persona.priceCpm(imp.bidfloor ?? 0, random);
    const offer = priceCpm === null ? null : offerFor(imp, persona);
    if (offer === null) return [];
    return [
      {
        id: `${request.id}-${imp.id}`,
        impid: imp.id,
        price: priceCpm,
        cid: `${persona.name}-campaign`,
        crid: `${persona.name}-creative-${offer.mtype}`,
        adomain: [`${persona.path.slice(1)}.example`],
        ...offer,
      },
    ];
  });
  if (bids.length === 0) return null;
  return { id: request.id, cur: 'USD', seatbid: [{ seat: persona.name, bid: bids }] };
}

function offerFor(imp: Imp, persona: Persona): Offer | null {
  if (imp.video) return vastMarkup('video', imp.video, persona);
  if (imp.audio) return vastMarkup('audio', imp.audio, persona);
  if (imp.banner) return bannerMarkup(imp.banner, persona);
  if (imp.native) return nativeMarkup(imp.native.request, persona);
  return null;
}
