import { defineActor } from '../../runtime/actor/define-actor.ts';
import { projectionOf } from '../field-table.ts';
import { type PartnerProjection, partnerFields } from './fields.ts';
import { partnerMessages } from './messages.ts';
import { noPartner, PartnerState, partnerHandlers } from './reduce.ts';

/**
 * A partner: a company on whose behalf an account runs sources. It is a scope within the account, which sees its own
 * sources alone. A partner is never deleted, so a check that it exists stays valid. Id: a UUID.
 */
export const partner = defineActor({
  kind: 'partner',
  schemaVersion: 1,
  saving: 'eager',
  state: PartnerState,
  messages: partnerMessages,
  initial: () => noPartner,
  handlers: partnerHandlers,
  projection: (state, id): PartnerProjection | null =>
    state.accountId === '' ? null : { id, ...projectionOf(partnerFields, state) },
  indexes: ['accountId', 'createdAt'],
});
