import type { Bid } from '../../openrtb/bid-response.ts';
import { advertiserDomains } from '../advertiser-domain.ts';

/** The properties of a bid that decide where in a pod, and beside which other ads, it may be placed. */
export interface PodPlacement {
  /** `dur`; 0 where it is not known. */
  readonly seconds: number;
  /** Domains in the form of `advertiserDomain`. */
  readonly advertisers: ReadonlySet<string>;
  readonly categories: readonly string[];
  readonly creative: string | null;
  /** `slotinpod` (AdCOM, List: Slot Position in Pod): 1 first, -1 last, 2 first or last, 0 any. */
  readonly position: number;
}

/** The placement of a bid on an imp that is in no pod. */
export const UNCONSTRAINED_PLACEMENT: PodPlacement = {
  seconds: 0,
  advertisers: new Set(),
  categories: [],
  creative: null,
  position: 0,
};

export function podPlacementOf({ dur = 0, adomain = [], cat = [], crid, slotinpod = 0 }: Bid): PodPlacement {
  return {
    seconds: dur,
    advertisers: advertiserDomains(adomain),
    categories: cat.map((category) => category.toUpperCase()),
    creative: crid ?? null,
    position: slotinpod,
  };
}
