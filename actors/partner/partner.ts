import { defineActor } from '../../runtime/actor/define-actor.ts';
import { projectionOf } from '../field-table.ts';
import { type PartnerProjection, partnerFields } from './fields.ts';
import { partnerMessages } from './messages.ts';
import { noPartner, PartnerState, partnerHandlers } from './reduce.ts';

/**
 * A company on whose behalf an account runs sources: a scope within the account, which sees its own sources alone. There
 * is no end to a partner, so that whoever has checked that it exists may rely on it. Id: a UUID.
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
