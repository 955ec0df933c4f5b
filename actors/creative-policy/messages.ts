import Type from 'typebox';
import { REVIEW_MODES, REVIEW_SCOPES } from '../../exchange/creative/review-scope.ts';

export const ReviewScopeKind = Type.Enum([...REVIEW_SCOPES]);
export const ReviewMode = Type.Enum([...REVIEW_MODES]);

export const creativePolicyMessages = {
  /** Sets what may be shown in the scope without a decision. Answers the state. */
  set: Type.Object({
    scope: ReviewScopeKind,
    /** '' for the exchange. */
    scopeId: Type.String(),
    /** The account that the scope belongs to; '' for the exchange. */
    accountId: Type.String(),
    mode: ReviewMode,
  }),
};
