import Type from 'typebox';
import { Name, Timestamp } from '../api-schemas.ts';
import { defineFields, type Projection } from '../field-table.ts';
import { ReservedName } from '../name/reservation.ts';

/** A partner, field by field. */
export const partnerFields = defineFields({
  id: {
    api: {
      name: 'id',
      shown: Type.String({ format: 'uuid', description: 'What `X-User-Partner-ID` and `partner_id` name.' }),
    },
  },
  /** '' while nothing was created. */
  accountId: { state: Type.String(), initial: '', projected: true },
  name: {
    state: Type.String(),
    message: Type.String({ minLength: 1 }),
    initial: '',
    projected: true,
    api: { name: 'name', shown: Type.String(), written: Name, required: true },
  },
  borneName: { state: ReservedName, initial: null },
  /** The revision of the resource: 1 when created, one more with each change. */
  revision: { state: Type.Integer({ minimum: 0 }), initial: 0 },
  /** ISO 8601, UTC. */
  createdAt: {
    state: Type.String(),
    initial: '',
    api: { name: 'created_at', shown: Timestamp },
  },
  updatedAt: {
    state: Type.String(),
    initial: '',
    api: { name: 'updated_at', shown: Timestamp },
  },
});

/** The projection of a partner, which edges hold. */
export interface PartnerProjection extends Projection<typeof partnerFields> {
  readonly id: string;
}
