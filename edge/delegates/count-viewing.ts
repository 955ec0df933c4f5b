import type { Clock } from '../../runtime/ports/clock.ts';
import type { CampaignPace } from '../pace/campaign-pace.ts';
import type { CampaignImpression } from '../tracking/campaign-viewing.ts';
import type { FrequencyCaps } from './frequency-caps.ts';

const HOUR_MS = 3_600_000;

/**
 * What a campaign's billed impression does besides the books: it moves the campaign's pace, on the day on which it is billed, and
 * counts for its frequency cap from when it was shown.
 */
export function countCampaignImpression(
  { pace, caps }: { readonly pace: CampaignPace; readonly caps: FrequencyCaps },
  clock: Clock,
): (viewing: CampaignImpression, shownAtMs: number) => void {
  return ({ trackingId, campaignId, dspId, priceNanos, soldAtMs, capped }, shownAtMs) => {
    pace.onBilled(campaignId, dspId, priceNanos, soldAtMs, clock.now());
    if (capped === null) return;
    caps.count(capped.deviceKey, campaignId, trackingId, shownAtMs + capped.windowHours * HOUR_MS);
  };
}
