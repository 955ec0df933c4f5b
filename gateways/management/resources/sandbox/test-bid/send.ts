import type { DspProjection } from '#actors/dsp/fields';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { writeBidRequest } from '#exchange/openrtb/dialect';
import type { BidderSettings } from '#gateways/bidders/settings';
import { type Trial, tryBidder } from '#gateways/bidders/trial-call';
import type { Clock } from '#runtime/ports/clock';

/** A bid request exactly as it was sent, and the result. */
export interface TestBidResult {
  readonly sent: BidRequest;
  readonly trial: Trial;
}

/**
 * Sends the request of a scenario, which is already written for bidders. It is sent in the bidder's dialect, with the
 * time that an auction would leave, and is otherwise unchanged.
 */
export async function sendTestBid(
  dsp: DspProjection,
  request: BidRequest,
  settings: BidderSettings,
  clock: Clock,
): Promise<TestBidResult> {
  const { maxTimeoutMs, answerMarginMs, minTimeoutMs } = settings;
  const leftMs = Math.min(maxTimeoutMs, (request.tmax ?? Number.POSITIVE_INFINITY) - answerMarginMs);
  const limitMs = Math.floor(Math.min(leftMs, dsp.timeoutMs));
  const text = writeBidRequest(request, dsp.openrtbVersion, {
    tmaxMs: limitMs,
    blockedCategories: [],
    blockedDomains: [],
    contentGenre: null,
    floorCpmMicros: 0,
  });
  const sent = JSON.parse(text) as BidRequest;
  if (limitMs < minTimeoutMs) {
    const outcome = { reason: 'insufficient-time', detail: `less than ${minTimeoutMs} ms: it is not called` } as const;
    return { sent, trial: { outcome, status: null, text: null, latencyMs: 0 } };
  }
  return { sent, trial: await tryBidder(dsp, settings, Buffer.from(text), limitMs, clock) };
}
