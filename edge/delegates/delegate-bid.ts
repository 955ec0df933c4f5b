import type { AdFormat } from '../../exchange/auction/ad-format.ts';
import { protocolOffered } from '../../exchange/creative/render/render-vast.ts';
import { cpmOf } from '../../exchange/money/price.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';
import type { Imp } from '../../exchange/openrtb/fields/imp.ts';
import type { Mutable } from '../../exchange/openrtb/shallow-copy.ts';
import type { ReadyCreative } from '../catalogue/presented-campaign.ts';
import type { Candidate } from './plan-bid.ts';

/** OpenRTB 2.6 §4.2.3, `mtype`. */
const MARKUP_TYPES: Readonly<Record<AdFormat, number>> = { banner: 1, video: 2, audio: 3, native: 4 };

/** A delegate's bid in the auction's form, without the markup, which is rendered when the bid has won. */
export function delegateBidOf(
  id: string,
  imp: Imp,
  { unpacked: presented, bidCpmMicros }: Pick<Candidate, 'unpacked' | 'bidCpmMicros'>,
  chosen: ReadyCreative,
): Bid {
  const { campaignId, adomain, categories } = presented.document;
  const { format, w, h, durationSeconds } = chosen.described;
  const bid: Mutable<Bid> = {
    id,
    impid: imp.id,
    price: cpmOf(bidCpmMicros),
    cid: campaignId,
    crid: chosen.creative.creative_id,
    mtype: MARKUP_TYPES[format],
  };
  if (adomain?.length) bid.adomain = adomain;
  if (categories?.length) bid.cat = categories;
  if (w !== undefined) bid.w = w;
  if (h !== undefined) bid.h = h;
  if (durationSeconds !== undefined) bid.dur = durationSeconds;
  const protocol = protocolOffered(imp, format);
  if (protocol !== undefined) bid.protocol = protocol;
  return bid;
}
