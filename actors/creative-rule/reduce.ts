import Type, { type Static } from 'typebox';
import type { ReviewSubject as Subject } from '../../exchange/creative/review-scope.ts';
import type { Context, Send } from '../../runtime/actor/context.ts';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { notFound } from '../account/scope.ts';
import { ReviewScopeKind } from '../creative-policy/messages.ts';
import { publishWebhookEvent } from '../webhook-subscriptions/publish-event.ts';
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
  decide(before, { lookedAt, ...decided }, context) {
    const state: CreativeRuleState = { ...decided, decidedAt: new Date(context.nowMs).toISOString() };
    const isNewBlock = state.decision === 'block' && before.decision !== 'block';
    const published = isNewBlock ? publishedBlock(state, lookedAt, context) : [];
    return { state, sends: [...told(state), ...published], reply: state };
  },
  withdraw(state, { accountId }) {
    if (state.decision === 'none' || state.accountId !== accountId) return notFound('The decision');
    return { state: null, sends: told({ ...state, decision: 'none' }), reply: null };
  },
});

type LookedAt = Static<typeof creativeRuleMessages.decide>['lookedAt'];

/**
 * The event of a block. The account of the scope is told; of a block in the whole exchange, the account of the demand
 * source whose creative was looked at.
 */
function publishedBlock(state: CreativeRuleState, lookedAt: LookedAt, context: Context): readonly Send[] {
  const { scope, scopeId, subject, value, reason, creative } = state;
  const told = scope === 'exchange' ? lookedAt : state;
  if (told === undefined || told.accountId === '') return [];
  const { accountId, partnerId, sandbox } = told;
  const data = {
    ...{ rule_id: context.id, scope, scope_id: scopeId, subject, value, reason },
    creative_id: lookedAt?.id ?? (subject === 'creative' ? value : null),
    dsp_id: creative?.dspId ?? (subject === 'demand_source' ? value : null),
    crid: creative?.crid ?? null,
    fingerprint: lookedAt?.fingerprint || (subject === 'fingerprint' ? value : null),
  };
  const resource = `creative-rule/${context.id}`;
  return [publishWebhookEvent({ accountId, partnerId, sandbox, type: 'creative.blocked', resource, data }, context)];
}

/** A creative remembers what was decided about it, so that its demand source can read it. */
function told({ subject, value, scope, scopeId, decision, reason }: CreativeRuleState): readonly Send[] {
  if (subject !== 'creative') return [];
  return [{ to: `creative/${value}`, type: 'decided', body: { scope, scopeId, decision, reason } }];
}
