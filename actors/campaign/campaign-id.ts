import { v5 } from 'uuid';

/**
 * The id of a campaign's actor: a UUID derived from the demand source's id and the `campaign_id` (RFC 9562 §5.5). So a
 * demand source has one campaign of a name, whichever way it was made, and no caller has to look for another.
 */
export function campaignActorId(dspId: string, campaignId: string): string {
  return v5(campaignId, dspId);
}
