import Type from 'typebox';
import { REVIEW_SUBJECTS } from '../../exchange/creative/review-scope.ts';
import { ReviewScopeKind } from '../creative-policy/messages.ts';

export const ReviewSubject = Type.Enum([...REVIEW_SUBJECTS]);
const ReviewDecision = Type.Enum(['block', 'approve']);

export const creativeRuleMessages = {
  /** Decides about the subject in the scope, in place of what was decided before. Answers the state. */
  decide: Type.Object({
    scope: ReviewScopeKind,
    /** '' for the exchange. */
    scopeId: Type.String(),
    /** The account that the scope belongs to; '' for the exchange. */
    accountId: Type.String(),
    /** The partner and environment of the scope, for a supply source; null and false for wider scopes. */
    partnerId: Type.Union([Type.String(), Type.Null()]),
    sandbox: Type.Boolean(),
    subject: ReviewSubject,
    value: Type.String({ minLength: 1 }),
    decision: ReviewDecision,
    reason: Type.String(),
    /** Whoever decided, as the audit trail names them. */
    decidedBy: Type.String(),
    /** The demand source and `crid` of a creative that the rule names. */
    creative: Type.Union([Type.Object({ dspId: Type.String(), crid: Type.String() }), Type.Null()]),
    /** The creative that somebody looked at when deciding, for those who are told of it. */
    lookedAt: Type.Optional(
      Type.Object({
        id: Type.String(),
        fingerprint: Type.String(),
        /** The account, partner and environment of its demand source. */
        accountId: Type.String(),
        partnerId: Type.Union([Type.String(), Type.Null()]),
        sandbox: Type.Boolean(),
      }),
    ),
  }),
  /** Takes the decision back. NOT_FOUND when there is none. Answers null. */
  withdraw: Type.Object({ accountId: Type.String() }),
};
