import Type, { type Static } from 'typebox';
import type { ReviewSubject as Subject } from '../../exchange/creative/review-scope.ts';
import type { Send } from '../../runtime/actor/context.ts';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { notFound } from '../account/scope.ts';
import { ReviewScopeKind } from '../creative-policy/messages.ts';
import { creativeRuleMessages, ReviewSubject } from './messages.ts';

export const CreativeRuleState = Type.Object({
  scope: ReviewScopeKind,
  scopeId: Type.String(),
  accountId: Type.String(),
  partnerId: Type.Union([Type.String(), Type.Null()]),
  sandbox: Type.Boolean(),
  subject: ReviewSubject,
  value: Type.String(),
  /** `none` while nothing is decided, or no longer. */
  decision: Type.Enum(['none', 'block', 'approve']),
  reason: Type.String(),
  decidedBy: Type.String(),
  creative: Type.Union([Type.Object({ dspId: Type.String(), crid: Type.String() }), Type.Null()]),
  /** ISO 8601, UTC. */
  decidedAt: Type.String(),
});
export type CreativeRuleState = Static<typeof CreativeRuleState>;

export const noCreativeRule: CreativeRuleState = {
  scope: 'exchange',
  scopeId: '',
  accountId: '',
  partnerId: null,
  sandbox: false,
  subject: 'creative',
  value: '',
  decision: 'none',
  reason: '',
  decidedBy: '',
  creative: null,
  decidedAt: '',
};

/** What edges hold of a decision. */
export interface CreativeRuleProjection {
  /** `scopeKey`. */
  readonly scope: string;
  readonly subject: Subject;
  readonly value: string;
  readonly decision: 'block' | 'approve';
}

export const creativeRuleHandlers = handlersOf(CreativeRuleState, creativeRuleMessages, {
  decide(_state, body, { nowMs }) {
    const state: CreativeRuleState = { ...body, decidedAt: new Date(nowMs).toISOString() };
    return { state, sends: told(state), reply: state };
  },
  withdraw(state, { accountId }) {
    if (state.decision === 'none' || state.accountId !== accountId) return notFound('The decision');
    return { state: null, sends: told({ ...state, decision: 'none' }), reply: null };
  },
});

/** A creative remembers what was decided about it, so that its demand source can read it. */
function told({ subject, value, scope, scopeId, decision, reason }: CreativeRuleState): readonly Send[] {
  if (subject !== 'creative') return [];
  return [{ to: `creative/${value}`, type: 'decided', body: { scope, scopeId, decision, reason } }];
}
