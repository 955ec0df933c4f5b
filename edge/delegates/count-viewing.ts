import type { Clock } from '../../runtime/ports/clock.ts';
import type { CampaignPace } from '../pace/campaign-pace.ts';
import type { CampaignImpression } from '../tracking/campaign-viewing.ts';
import type { FrequencyCaps } from './frequency-caps.ts';

const HOUR_MS = 3_600_000;

interface CountCampaignImpressionDeps {
  readonly pace: Pick<CampaignPace, 'onBilled'>;
  readonly caps: Pick<FrequencyCaps, 'count'>;
  /** Whether the demand source is in the sandbox at present. */
  readonly inSandbox: (dspId: string) => boolean;
  readonly clock: Clock;
}

/**
 * Counts a campaign's billed impression beside the ledgers: for the campaign's pace, on the day of billing, and for its
 * frequency cap, from the time of rendering. Both count the present environment of the demand source: what was sold in
 * the other one before it moved is not counted.
 */
export function countCampaignImpression({
  pace,
  caps,
  inSandbox,
  clock,
}: CountCampaignImpressionDeps): (billed: CampaignImpression, shownAtMs: number) => void {
  return ({ trackingId, campaignId, dspId, priceNanos, soldAtMs, capped, sandbox }, shownAtMs) => {
    if (sandbox !== undefined && sandbox !== inSandbox(dspId)) return;
    pace.onBilled(campaignId, dspId, priceNanos, soldAtMs, clock.now());
    if (capped === null) return;
    caps.count(capped.deviceKey, campaignId, trackingId, shownAtMs + capped.windowHours * HOUR_MS);
  };
}
