import type { CreativeState } from '#actors/creative/reduce';
import { creativeRule } from '#actors/creative-rule/creative-rule';
import type { CreativeRuleState } from '#actors/creative-rule/reduce';
import { creativeRuleId } from '#actors/creative-rule/rule-id';
import { advertiserDomain, advertiserDomains } from '#exchange/auction/advertiser-domain';
import type { ReviewSubject } from '#exchange/creative/review-scope';
import { ApiError } from '#gateways/errors';
import { assertBelowCountLimit } from '../../changes/count-limit.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { RequestIds } from '../../identity/request-ids.ts';
import { type CreativeRule, showRule } from './rule.ts';
import type { DecidedScope } from './scope.ts';

/** The most decisions of an account, since every edge holds them in memory. */
export const MAX_RULES = 20_000;

export interface Decision {
  readonly in: DecidedScope;
  readonly subject: ReviewSubject;
  readonly value: string;
  readonly decision: 'block' | 'approve';
  readonly reason: string;
  readonly decidedBy: string;
  /** The creative that the decision is made at; null where it names something else. */
  readonly creative: { readonly id: string; readonly state: CreativeState } | null;
}

/** Decides, in place of what was decided before about the same in the same scope. CONFLICT beyond {@link MAX_RULES}. */
export async function decide(
  parts: ManagementDeps,
  identity: RequestIds,
  { in: place, subject, value, decision, reason, decidedBy, creative }: Decision,
): Promise<CreativeRule> {
  const { scope, accountId, partnerId, sandbox } = place;
  const id = creativeRuleId(scope, subject, value);
  await assertBelowCountLimit(parts, {
    kind: creativeRule.kind,
    id,
    most: MAX_RULES,
    counted: [{ accountId }],
    refusal: `There are at most ${MAX_RULES.toLocaleString('en-US')} decisions about creatives: take back those that no longer matter.`,
  });
  const named = creative && { dspId: creative.state.dspId, crid: creative.state.crid };
  const state = await parts.messenger.ask(
    creativeRule,
    id,
    'decide',
    {
      ...{ scope: scope.kind, scopeId: scope.id, accountId, partnerId, sandbox },
      ...{ subject, value, decision, reason, decidedBy, creative: named },
      ...(creative && { lookedAt: lookedAt(creative.id, creative.state) }),
    },
    { requestId: identity.askId() },
  );
  return showRule(id, state)!;
}

function lookedAt(id: string, { fingerprint, accountId, partnerId, sandbox }: CreativeState) {
  return { id, fingerprint, accountId, partnerId, sandbox };
}

/** Takes a decision back; NOT_FOUND where there is none. */
export async function withdraw(
  { messenger }: Pick<ManagementDeps, 'messenger'>,
  identity: RequestIds,
  id: string,
  accountId: string,
): Promise<null> {
  await messenger.ask(creativeRule, id, 'withdraw', { accountId }, { requestId: identity.askId() });
  return null;
}

/** What a decision about a creative may name of it. */
export const DECIDED_BY = ['creative', 'fingerprint', 'advertiser', 'demand_source'] as const;
export type DecidedBy = (typeof DECIDED_BY)[number];

/**
 * The value of a decision that names this of a creative: VALIDATION_ERROR where the creative has none, or several
 * advertiser domains of which `value` names none.
 */
export function namedValue(id: string, state: CreativeState, by: DecidedBy, value: string | undefined): string {
  switch (by) {
    case 'creative':
      return id;
    case 'demand_source':
      return state.dspId;
    case 'fingerprint':
      if (state.fingerprint !== '') return state.fingerprint;
      throw new ApiError('VALIDATION_ERROR', 'The markup differs in every auction and has no fingerprint.', 'by');
    case 'advertiser': {
      const domains = [...advertiserDomains(state.advertiserDomains)];
      const [domain] = domains;
      if (value !== undefined) {
        const named = advertiserDomain(value);
        if (named !== '' && domains.some((one) => one === named || one.endsWith(`.${named}`))) return named;
        throw new ApiError('VALIDATION_ERROR', 'value is no advertiser domain of the creative.', 'value');
      }
      if (domain === undefined) throw new ApiError('VALIDATION_ERROR', 'The creative names no advertiser.', 'by');
      if (domains.length === 1) return domain;
      throw new ApiError('VALIDATION_ERROR', 'The creative names several advertisers: give one as value.', 'value');
    }
  }
}

export async function loadRule(
  { store }: Pick<ManagementDeps, 'store'>,
  id: string,
): Promise<CreativeRuleState | null> {
  const [document] = await store.load([{ kind: creativeRule.kind, id }]);
  const state = document && !document.deleted ? (document.state as CreativeRuleState) : null;
  return state === null || state.decision === 'none' ? null : state;
}

export function noDecision(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such decision.');
}
