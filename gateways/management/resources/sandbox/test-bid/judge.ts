import type { DspProjection } from '#actors/dsp/fields';
import { runAuction } from '#edge/auction/auction-run';
import { readReply } from '#edge/auction/bidder-demand';
import { TrackingMint } from '#edge/tracking/mint';
import { UNKNOWN_VIEWER } from '#edge/viewer/viewer';
import type { LossReason } from '#exchange/auction/loss-reason';
import { PROHIBITED_CATEGORIES } from '#exchange/auction/prohibited';
import type { CurrencyRates } from '#exchange/currency/currency-rates';
import { cpmOf } from '#exchange/money/price';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import type { Trial } from '#gateways/bidders/trial-call';

export const testBidOutcomes = ['win', 'no-bid', 'below-floor', 'timeout', 'error'] as const;
export type TestBidOutcome = (typeof testBidOutcomes)[number];

export interface Verdict {
  readonly outcome: TestBidOutcome;
  /** The clearing price in USD CPM; null unless the bid won. */
  readonly clearingPriceCpm: number | null;
  /** Null when the bid won. */
  readonly reason: string | null;
}

/**
 * Winning markup must be able to carry a tracking URL. The URLs minted here are never handed out and match no edge's
 * key.
 */
const trialTrackingMint = new TrackingMint({
  secretKey: 'test bids are never billed',
  publicEdgeUrl: 'https://test-bid.invalid',
});

/** A seller with no requirements beyond the request. */
const unrestrictedSeller = { id: '', partnerId: null, floorCpmMicros: 0, blockedCategories: [], blockedDomains: [] };

const belowFloor: ReadonlySet<LossReason> = new Set(['below-floor', 'below-deal-floor']);

/**
 * Judges an answer as an auction would: it is parsed, checked against the request, and prepared as a winner if it may
 * win. There are no competing bids.
 */
export function judgeTrial(
  dsp: DspProjection,
  request: BidRequest,
  { outcome, latencyMs }: Trial,
  nowMs: number,
  rates: CurrencyRates | null,
): Verdict {
  const lost = (as: TestBidOutcome, reason: string): Verdict => ({ outcome: as, clearingPriceCpm: null, reason });
  const { offer, reason } = readReply({ dsp, called: true, outcome, latencyMs }, request.id, rates);
  if (offer === null) {
    if (reason === 'no-bid' || reason === 'timeout') return lost(reason, reason);
    const detail = 'detail' in outcome ? outcome.detail : '';
    return lost('error', detail === '' ? reason! : `${reason}: ${detail}`);
  }
  const { sold, losses } = runAuction([offer], {
    auction: { request, publisher: unrestrictedSeller, pool: null, sandbox: true, viewer: UNKNOWN_VIEWER },
    region: '',
    blockedCategories: PROHIBITED_CATEGORIES,
    nowMs,
    random: () => 0,
    mint: trialTrackingMint,
    creatives: new Map(),
    render: () => ({ ok: false, refused: 'format-not-offered' }),
    edgeUrl: '',
  });
  const [won] = sold;
  if (won) return { outcome: 'win', clearingPriceCpm: cpmOf(won.win.clearingCpmMicros), reason: null };
  // When some bids are too low and others invalid, a higher price would have helped.
  const tooLow = losses.find((loss) => belowFloor.has(loss.reason));
  if (tooLow) return lost('below-floor', tooLow.reason);
  const [loss] = losses;
  const detail = loss!.malformed?.message ?? loss!.detail;
  return lost('error', detail === null ? loss!.reason : `${loss!.reason}: ${detail}`);
}
