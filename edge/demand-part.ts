import type { DspProjection } from '../actors/dsp/fields.ts';
import type { DspOffer } from '../exchange/auction/auction.ts';
import type { NoBidReason } from '../exchange/auction/loss-reason.ts';

/** A DSP's bids in the auction's form, with the `bidid` that its notices repeat. */
export interface BidderOffer extends DspOffer {
  /** `bidid` of the response. */
  readonly bidId: string | null;
}

/** One DSP's participation in one auction. */
export interface DemandParticipation {
  readonly dsp: DspProjection;
  readonly called: boolean;
  readonly latencyMs: number;
  readonly offer: BidderOffer | null;
  /** Why there is no offer. */
  readonly reason: NoBidReason | null;
}
