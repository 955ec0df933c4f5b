import Type, { type Static } from 'typebox';
import { Nullable, Timestamp } from '#actors/api-schemas';
import type { CreativeRuleState } from '#actors/creative-rule/reduce';
import { REVIEW_SUBJECTS } from '#exchange/creative/review-scope';
import { ScopeId, ScopeKind } from './creative.ts';

export const Subject = Type.Enum([...REVIEW_SUBJECTS], {
  description:
    'What the decision names: one creative, markup whoever brings it, an advertiser domain and all below it, a category of IAB Content Taxonomy 1.0 and all below it, a creative attribute of AdCOM, or all of a demand source.',
});
export const Reason = Type.String({
  maxLength: 500,
  description: 'Why, for people: the demand source reads it too.',
});

/** A decision about creatives in one scope. */
export const CreativeRule = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    scope: ScopeKind,
    scope_id: ScopeId,
    subject: Subject,
    value: Type.String({ description: 'Which one: an id, a fingerprint, a domain, a category or a number.' }),
    decision: Type.Enum(['block', 'approve']),
    reason: Type.String(),
    decided_by: Type.String({ description: '`user/<id>` or `api-key/<id>`.' }),
    decided_at: Timestamp,
    dsp_id: Nullable(Type.String({ description: 'The demand source of the creative that was decided about.' })),
    crid: Nullable(Type.String()),
  },
  { title: 'CreativeRule' },
);
export type CreativeRule = Static<typeof CreativeRule>;

export const RuleParams = Type.Object({
  rule_id: Type.String({ format: 'uuid', description: 'The id of a decision.' }),
});

export function showRule(id: string, state: CreativeRuleState): CreativeRule | null {
  if (state.decision === 'none') return null;
  return {
    id,
    scope: state.scope,
    scope_id: state.scopeId,
    subject: state.subject,
    value: state.value,
    decision: state.decision,
    reason: state.reason,
    decided_by: state.decidedBy,
    decided_at: state.decidedAt,
    dsp_id: state.creative?.dspId ?? null,
    crid: state.creative?.crid ?? null,
  };
}
