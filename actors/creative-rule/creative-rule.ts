import { scopeKey } from '../../exchange/creative/review-scope.ts';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { creativeRuleMessages } from './messages.ts';
import { type CreativeRuleProjection, CreativeRuleState, creativeRuleHandlers, noCreativeRule } from './reduce.ts';

/** A decision about creatives in one scope: they are blocked, or approved. Id: `creativeRuleId`. */
export const creativeRule = defineActor({
  kind: 'creative-rule',
  schemaVersion: 1,
  saving: 'eager',
  state: CreativeRuleState,
  messages: creativeRuleMessages,
  initial: () => noCreativeRule,
  handlers: creativeRuleHandlers,
  projection: ({ decision, scope, scopeId, subject, value }): CreativeRuleProjection | null =>
    decision === 'none' ? null : { scope: scopeKey({ kind: scope, id: scopeId }), subject, value, decision },
  indexes: ['accountId', 'scopeId', 'value', 'decidedAt'],
});
