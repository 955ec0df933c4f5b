import type { SeenView } from '../read-hour.ts';
import type { BothSides } from './impression-rows.ts';
import { instant, quoted, quotedOrNull } from './row-fields.ts';

/** What was seen of an impression, as JSON for either side; campaigns are the demand source's. */
export function viewRows(seen: SeenView, dspId: string): BothSides {
  const common =
    `{"tracking_id":${quoted(seen.trackingId)},"measure":"${seen.measure}","seen_at":"${instant(seen.atMs)}",` +
    `"sold_at":"${instant(seen.soldAtMs)}","region":${quoted(seen.region)},"publisher_id":${quoted(seen.publisherId)},` +
    `"dsp_id":${quoted(dspId)},"creative_id":${quotedOrNull(seen.crid)}`;
  return { publisher: `${common}}`, dsp: `${common},"campaign_id":${quotedOrNull(seen.campaignId)}}` };
}
