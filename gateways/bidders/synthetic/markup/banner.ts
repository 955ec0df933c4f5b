import type { Banner } from '#exchange/openrtb/fields/banner';
import type { Offer } from '../offer.ts';
import type { SyntheticBidder } from '../synthetic-bidders.ts';

/** A box of the requested size, without any external asset. */
export function bannerMarkup(banner: Banner, persona: SyntheticBidder): Offer {
  const w = banner.w ?? banner.format?.[0]?.w ?? 300;
  const h = banner.h ?? banner.format?.[0]?.h ?? 250;
  const style = `width:${w}px;height:${h}px;display:flex;align-items:center;justify-content:center;box-sizing:border-box;background:#1d4ed8;color:#fff;font:600 14px/1.3 sans-serif;text-align:center`;
  const adm = `<a href="https://${persona.path.slice(1)}.example/" style="text-decoration:none"><div style="${style}">${persona.name} ${w}x${h}</div></a>`;
  return { adm, mtype: 1, w, h };
}
