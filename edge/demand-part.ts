import type { DspProjection } from '../actors/dsp/fields.ts';
import type { DspOffer } from '../exchange/auction/auction.ts';
import type { NoBidReason } from '../exchange/auction/loss-reason.ts';

/** A demand source's bids as the auction takes them, with what its notices will say of the answer. */
export interface BidderOffer extends DspOffer {
  /** `bidid` of the response. */
  readonly bidId: string | null;
}

/** What one demand source's part came to. */
export interface DemandParticipation {
  readonly dsp: DspProjection;
  readonly called: boolean;
  readonly latencyMs: number;
  readonly offer: BidderOffer | null;
  /** Why there is no offer. */
  readonly reason: NoBidReason | null;
}
