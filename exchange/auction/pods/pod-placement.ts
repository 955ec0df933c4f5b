import type { Imp } from '../../openrtb/fields/imp.ts';
import type { OfferedBid } from '../../openrtb/parse-bid-response.ts';
import type { AdFormat } from '../ad-format.ts';
import { advertiserDomains } from '../advertiser-domain.ts';
import { CONTENT_TAXONOMY_1 } from '../prohibited.ts';
import type { AdBreak } from './ad-break.ts';

/** The properties of a bid that decide where in a pod, and beside which other ads, it may be placed. */
export interface PodPlacement {
  /** `dur`; 0 where it is not known. */
  readonly seconds: number;
  /** Domains in the form of `advertiserDomain`. */
  readonly advertisers: ReadonlySet<string>;
  /** `domainsAndAbove` of the advertisers. */
  readonly advertisersAndAbove: ReadonlySet<string>;
  readonly categories: ReadonlySet<string>;
  /** The taxonomy of the categories; ids of another mean others. */
  readonly taxonomy: number;
  /** Null where it is not named. The name is one of the demand source's, and of the campaign's where it has some. */
  readonly creative: string | null;
  readonly dspId: string;
  /** The campaign of a delegate's bid, whose creatives have names of their own; null for a bidder's bid. */
  readonly campaign: string | null;
  /** `slotinpod` (AdCOM, List: Slot Position in Pod): 1 first, -1 last, 2 first or last, 0 any. */
  readonly position: number;
}

/** The placement of a bid on an imp that is in no pod. */
export const UNCONSTRAINED_PLACEMENT: PodPlacement = {
  seconds: 0,
  advertisers: new Set(),
  advertisersAndAbove: new Set(),
  categories: new Set(),
  taxonomy: CONTENT_TAXONOMY_1,
  creative: null,
  dspId: '',
  campaign: null,
  position: 0,
};

/** `rendered`: whether the bid is a delegate's; see `DspOffer`. */
export function podPlacementOf(
  { bid, knownAdvertisers = [] }: OfferedBid,
  dspId: string,
  rendered: boolean,
): PodPlacement {
  const { dur = 0, adomain = knownAdvertisers, cat = [], cattax = CONTENT_TAXONOMY_1, cid, crid, slotinpod = 0 } = bid;
  const advertisers = advertiserDomains(adomain);
  return {
    seconds: dur,
    advertisers,
    advertisersAndAbove: domainsAndAbove(advertisers),
    categories: new Set(cat.map((category) => category.toUpperCase())),
    taxonomy: cattax,
    creative: crid || null,
    dspId,
    campaign: rendered ? (cid ?? null) : null,
    position: slotinpod,
  };
}

/** Domains above another one are known up to this many labels. Those of advertisers have two to four. */
const MAX_LABELS = 10;

/** The domains, and those above each of them: `shop.ford.com` is below `ford.com`, and below `com`. */
export function domainsAndAbove(domains: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(domains);
  for (const domain of domains) {
    let dot = domain.lastIndexOf('.');
    for (let labels = 1; labels <= MAX_LABELS && dot !== -1; labels++) {
      all.add(domain.slice(dot + 1));
      dot = dot === 0 ? -1 : domain.lastIndexOf('.', dot - 1);
    }
  }
  return all;
}

/** Either end of a pod (AdCOM, List: Slot Position in Pod). */
const FIRST_OR_LAST = 2;

/**
 * Whether an imp of a pod holds the place that a bid wants (OpenRTB 2.6 §4.2.3, `slotinpod`). A dynamic portion that is
 * the whole pod holds any, as the exchange puts its ads in order. Of other imps only the seller knows the place: they
 * hold what they promise (§3.2.7, `slotinpod`). An ad in no pod stands alone, and so first and last.
 */
export function holdsPosition(
  wanted: number,
  imp: Imp,
  format: AdFormat,
  breaks: ReadonlyMap<string, AdBreak>,
): boolean {
  const adBreak = breaks.get(imp.id);
  const requested = format === 'video' || format === 'audio' ? imp[format] : undefined;
  if (wanted === 0 || adBreak === undefined || requested === undefined) return true;
  if ((requested.poddur ?? 0) > 0 && adBreak.slots.size === 1) return true;
  const { slotinpod: promised = 0 } = requested;
  return wanted === FIRST_OR_LAST ? promised !== 0 : promised === wanted;
}
