import type { DspView } from '../../../actors/dsp/fields.ts';
import type { DspOffer } from '../../../exchange/auction/auction.ts';
import type { NoBidReason } from '../../../exchange/auction/loss-reason.ts';
import { parseBidResponse } from '../../../exchange/openrtb/parse-bid-response.ts';
import type { BidderReply } from '../../bidders/fan-out.ts';

/** A demand source's bids as the auction takes them, with what its notices will say of the answer. */
export interface BidderOffer extends DspOffer {
  /** `bidid` of the response. */
  readonly bidId: string | null;
}

/** What one demand source's part came to. */
export interface DemandPart {
  readonly dsp: DspView;
  readonly called: boolean;
  readonly latencyMs: number;
  readonly offer: BidderOffer | null;
  /** Why there is no offer. */
  readonly reason: NoBidReason | null;
}

export function readReply(reply: BidderReply, requestId: string): DemandPart {
  const { dsp, called, latencyMs, outcome } = reply;
  if ('reason' in outcome) return { dsp, called, latencyMs, offer: null, reason: outcome.reason };
  const reading = parseBidResponse(outcome.document, requestId);
  if (reading.outcome === 'no-bid') return { dsp, called, latencyMs, offer: null, reason: 'no-bid' };
  if (reading.outcome === 'invalid') return { dsp, called, latencyMs, offer: null, reason: reading.reason };
  const { bidId, currency, bids, malformed } = reading;
  return { dsp, called, latencyMs, offer: { dspId: dsp.id, bidId, currency, bids, malformed }, reason: null };
}
