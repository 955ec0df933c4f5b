import { v5 } from 'uuid';
import { type ReviewScope, type ReviewSubject, scopeKey } from '../../exchange/creative/review-scope.ts';

const NAMESPACE = '0f6d5c0e-5f0b-4b0e-9d5a-7a0f4f1f2b61';

/** The id of the decision about a subject in a scope; there is one at most. A UUID (RFC 9562 §5.5). */
export function creativeRuleId(scope: ReviewScope, subject: ReviewSubject, value: string): string {
  return v5(`${scopeKey(scope)}\n${subject}\n${value}`, NAMESPACE);
}
