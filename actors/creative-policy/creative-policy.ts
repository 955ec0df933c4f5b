import Type, { type Static } from 'typebox';
import type { ReviewMode as Mode } from '../../exchange/creative/review-scope.ts';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { creativePolicyMessages, ReviewMode, ReviewScopeKind } from './messages.ts';

export const CreativePolicyState = Type.Object({
  scope: ReviewScopeKind,
  scopeId: Type.String(),
  accountId: Type.String(),
  mode: ReviewMode,
  /** ISO 8601, UTC; '' while it was never set. */
  updatedAt: Type.String(),
});
export type CreativePolicyState = Static<typeof CreativePolicyState>;

/** What edges hold of a scope's policy; `open`, the default, is not held. */
export interface CreativePolicyProjection {
  readonly mode: Exclude<Mode, 'open'>;
}

/** What may be shown in a scope without a decision about it. Id: `scopeKey`. */
export const creativePolicy = defineActor({
  kind: 'creative-policy',
  schemaVersion: 1,
  saving: 'eager',
  state: CreativePolicyState,
  messages: creativePolicyMessages,
  initial: (): CreativePolicyState => ({ scope: 'exchange', scopeId: '', accountId: '', mode: 'open', updatedAt: '' }),
  handlers: {
    set(_state, body, { nowMs }) {
      const state: CreativePolicyState = { ...body, updatedAt: new Date(nowMs).toISOString() };
      return { state, reply: state };
    },
  },
  projection: ({ mode }): CreativePolicyProjection | null => (mode === 'open' ? null : { mode }),
  indexes: ['accountId'],
});
