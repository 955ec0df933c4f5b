import Type, { type TObject, type TSchema } from 'typebox';
import { Nullable, Uuid } from '#actors/api-schemas';
import { PausedByName } from '#actors/campaign/fields';
import { Bidding, Budget, campaignFields, FrequencyCap, Targeting } from '#exchange/strategy/document/campaign';

/** Makes each field optional; null removes a field. */
function changesOf(fields: Readonly<Record<string, TSchema>>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(Nullable(schema))]));
}

/** The schema of a merge: the given fields change, the others stay. */
function mergeOf({ properties }: TObject): TSchema {
  return Type.Object(changesOf(properties), { additionalProperties: false });
}

/** A partial update of a campaign. */
export const CampaignChanges: TObject<Record<string, TSchema>> = Type.Object(
  {
    // The API accepts these fields when they repeat the present value, since clients send back what they have read.
    campaign_id: Type.Optional(Type.String()),
    dsp_id: Type.Optional(Uuid),
    paused_by: Type.Optional(Nullable(PausedByName)),
    ...changesOf(campaignFields),
    ...changesOf({
      targeting: mergeOf(Targeting),
      bidding: mergeOf(Bidding),
      budget: mergeOf(Budget),
      frequency_cap: mergeOf(FrequencyCap),
    }),
    campaign_name: Type.Optional(campaignFields.campaign_name),
  },
  { additionalProperties: false },
);
