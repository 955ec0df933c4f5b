import type { Clock } from '../../runtime/ports/clock.ts';
import type { CampaignPace } from '../pace/campaign-pace.ts';
import type { CampaignImpression } from '../tracking/campaign-viewing.ts';
import type { FrequencyCaps } from './frequency-caps.ts';

const HOUR_MS = 3_600_000;

/**
 * Counts a campaign's billed impression beside the ledgers: for the campaign's pace, on the day of billing, and for its
 * frequency cap, from the time of rendering.
 */
export function countCampaignImpression(
  { pace, caps }: { readonly pace: CampaignPace; readonly caps: FrequencyCaps },
  clock: Clock,
): (billed: CampaignImpression, shownAtMs: number) => void {
  return ({ trackingId, campaignId, dspId, priceNanos, soldAtMs, capped }, shownAtMs) => {
    pace.onBilled(campaignId, dspId, priceNanos, soldAtMs, clock.now());
    if (capped === null) return;
    caps.count(capped.deviceKey, campaignId, trackingId, shownAtMs + capped.windowHours * HOUR_MS);
  };
}
