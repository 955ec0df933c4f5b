import { v5 } from 'uuid';

/**
 * The id of the actor of a campaign: a UUID that follows from the demand source's and the `campaign_id` (RFC 9562 §5.5).
 * So a demand source has one campaign of a name, whoever makes it, and nobody has to ask whether there is another.
 */
export function campaignActorId(dspId: string, campaignId: string): string {
  return v5(campaignId, dspId);
}
