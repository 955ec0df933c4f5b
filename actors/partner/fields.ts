import Type from 'typebox';
import { defineFields, type Projection } from '../field-table.ts';
import { namedResource, resourceTimes, revision } from '../resource-fields.ts';

/** A partner, field by field. */
export const partnerFields = defineFields({
  ...namedResource(),
  id: {
    api: {
      name: 'id',
      shown: Type.String({ format: 'uuid', description: 'What `X-User-Partner-ID` and `partner_id` name.' }),
    },
  },
  revision,
  ...resourceTimes,
});

/** The projection of a partner, which edges hold. */
export interface PartnerProjection extends Projection<typeof partnerFields> {
  readonly id: string;
}
