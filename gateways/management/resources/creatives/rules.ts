import Type, { type Static } from 'typebox';
import { creativeRule } from '#actors/creative-rule/creative-rule';
import type { CreativeRuleState } from '#actors/creative-rule/reduce';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { advertiserDomain } from '#exchange/auction/advertiser-domain';
import type { ReviewSubject } from '#exchange/creative/review-scope';
import { ApiError } from '#gateways/errors';
import type { Condition } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';
import { type Caller, isOperator } from '../../identity/caller.ts';
import { defineRoute } from '../../routing/route.ts';
import { seesAll } from '../auctions/perspective.ts';
import { ScopeId, ScopeKind } from './creative.ts';
import { decide, loadRule, noDecision, withdraw } from './decide.ts';
import { CreativeRule, Reason, RuleParams, Subject, showRule } from './rule.ts';
import { deciderOf, scopeToDecideIn } from './scope.ts';
import { loadCreative, loadReached } from './visible.ts';
import { scopesWhere } from './visible-scopes.ts';

const MOST_PAGES = 200;
const DEFAULT_PER_PAGE = 50;

const rulePaging = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_PAGES, default: 1, description: 'A page, from 1 on.' })),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_PER_PAGE, description: 'How many a page has at most.' }),
  ),
};
export const ruleFilters = {
  subject: Type.Optional(Subject),
  decision: Type.Optional(Type.Enum(['block', 'approve'], { description: 'Blocks alone, or approvals.' })),
  value: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'What the decision names.' })),
  ...rulePaging,
};
export const rulePage = Type.Object({
  rules: Type.Array(CreativeRule),
  total: Type.Integer({ minimum: 0 }),
  page: Type.Integer(),
  per_page: Type.Integer(),
});
const OwnRuleFilters = Type.Object(ruleFilters);

/** One page of the decisions that `where` finds, the newest first. */
export async function listRules(
  { store }: Pick<ManagementDeps, 'store'>,
  where: Record<string, Condition>,
  { page = 1, per_page: perPage = DEFAULT_PER_PAGE, ...filters }: Static<typeof OwnRuleFilters>,
): Promise<Static<typeof rulePage>> {
  const { subject, decision, value } = filters;
  const { documents, total } = await store.query(creativeRule.kind, {
    where: {
      ...where,
      ...(subject !== undefined && { subject }),
      ...(decision !== undefined && { decision }),
      ...(value !== undefined && {
        value: { in: [...new Set([value, value.toLowerCase(), advertiserDomain(value)])] },
      }),
    },
    orderBy: 'decidedAt',
    descending: true,
    skip: (page - 1) * perPage,
    limit: perPage,
  });
  const rules = documents.flatMap(({ id, state }) => showRule(id, state as CreativeRuleState) ?? []);
  return { rules, total, page, per_page: perPage };
}

export const listCreativeRules = defineRoute({
  method: 'GET',
  path: '/api/creatives/rules',
  tag: 'Creatives',
  operationId: 'listCreativeRules',
  summary: 'List decisions about creatives, the newest first',
  description:
    'Those of the account, its pools and its supply sources; a call for a partner or in the sandbox lists those of its own supply sources (of the 1,000 that changed last) and of wider scopes. Operators list those of the exchange with `scope=exchange`.',
  access: 'account',
  query: Type.Object({ scope: Type.Optional(ScopeKind), scope_id: Type.Optional(ScopeId), ...ruleFilters }),
  errors: ['INVALID_PARAMS', 'FORBIDDEN'],
  answer: { status: 200, schema: rulePage },
  async handle({ query: { scope, scope_id: scopeId, ...filters }, caller, parts }) {
    if (scope === 'exchange') {
      if (!isOperator(caller))
        throw new ApiError('FORBIDDEN', 'Only operators read what was decided for the exchange.');
      return listRules(parts, { accountId: '', scope }, filters);
    }
    const where = await scopesWhere(parts, caller, scopeId);
    return listRules(parts, { ...where, ...(scope !== undefined && { scope }) }, filters);
  },
});

const VALUE_FORMS: Readonly<Record<ReviewSubject, { readonly form: RegExp; readonly words: string }>> = {
  creative: { form: /^[0-9a-f]{32}$/, words: 'the id of a creative: 32 hexadecimal characters' },
  fingerprint: { form: /^[0-9a-f]{32}$/, words: 'a fingerprint: 32 hexadecimal characters' },
  advertiser: { form: /^(?=.{1,253}$)[^\s/:?#@,.]+(?:\.[^\s/:?#@,.]+)*$/, words: 'a domain, such as brand.example' },
  category: { form: /^IAB[1-9]\d?(?:-[1-9]\d?)?$/, words: 'a category of IAB Content Taxonomy 1.0, such as IAB25-3' },
  attribute: { form: /^[1-9]\d{0,2}$/, words: 'the number of a creative attribute of AdCOM' },
  demand_source: { form: /^[0-9a-f-]{36}$/, words: 'the id of a demand source' },
};
/** Values that are kept in another form than in lower case: as bids are compared with them. */
const KEPT_FORMS: Partial<Record<ReviewSubject, (value: string) => string>> = {
  category: (value) => value.toUpperCase(),
  advertiser: advertiserDomain,
};
const APPROVABLE: readonly ReviewSubject[] = ['creative', 'fingerprint', 'advertiser', 'demand_source'];

/**
 * Checks what a decision names, and answers its value as it is kept. VALIDATION_ERROR for a value of another form, and
 * for an approval of what cannot be approved.
 */
export function checkedValue(subject: ReviewSubject, value: string, decision: 'block' | 'approve'): string {
  if (decision === 'approve' && !APPROVABLE.includes(subject)) {
    throw new ApiError('VALIDATION_ERROR', `A decision by ${subject} can only block.`, 'decision');
  }
  const kept = KEPT_FORMS[subject]?.(value) ?? value.toLowerCase();
  const { form, words } = VALUE_FORMS[subject];
  if (form.test(kept)) return kept;
  throw new ApiError('VALIDATION_ERROR', `value must be ${words}.`, 'value');
}

export const ruleBody = {
  subject: Subject,
  value: Type.String({
    minLength: 1,
    maxLength: 253,
    description:
      'Which one: the id of a creative or demand source, a fingerprint, a domain, a category such as IAB25-3, or the number of an attribute.',
  }),
  decision: Type.Enum(['block', 'approve'], { description: 'Categories and attributes can only be blocked.' }),
  reason: Type.Optional(Reason),
};

export const createCreativeRule = defineRoute({
  method: 'POST',
  path: '/api/creatives/rules',
  tag: 'Creatives',
  operationId: 'createCreativeRule',
  summary: 'Decide about creatives by what they are: an advertiser, a category, an attribute, markup, a demand source',
  description:
    'There is one decision about the same in a scope: another one replaces it. A block anywhere in the chain of exchange, account, pool and supply source blocks. It holds on every edge within a second.',
  access: 'account',
  reach: { operators: 'every-account', unreached: 'VALIDATION_ERROR' },
  body: Type.Object(
    {
      scope: ScopeKind,
      scope_id: Type.Optional(
        Type.String({ maxLength: 64, description: 'The supply source, pool or account; without it, the own account.' }),
      ),
      ...ruleBody,
    },
    { additionalProperties: false },
  ),
  examples: {
    body: { scope: 'account', subject: 'advertiser', value: 'rival.example', decision: 'block', reason: 'A rival' },
  },
  errors: ['FORBIDDEN', 'CONFLICT'],
  answer: { status: 201, schema: CreativeRule },
  async handle({ body: { subject, value, decision, reason = '', ...scope }, caller, identity, parts }) {
    const place = await scopeToDecideIn(parts, caller, scope);
    const kept = checkedValue(subject, value, decision);
    const creative = await namedCreative(parts, caller, subject, kept);
    const decidedBy = deciderOf(caller);
    return decide(parts, identity, { in: place, subject, value: kept, decision, reason, decidedBy, creative });
  },
});

/**
 * The creative that a decision names; VALIDATION_ERROR for a creative or a demand source that the caller does not see.
 */
async function namedCreative(parts: ManagementDeps, caller: Caller, subject: ReviewSubject, value: string) {
  if (subject === 'demand_source' && (await loadReached<DspState>(parts, dsp.kind, value, caller)) === null) {
    throw new ApiError('VALIDATION_ERROR', 'value does not name a demand source.', 'value');
  }
  if (subject !== 'creative') return null;
  try {
    return { id: value, state: await loadCreative(parts, value, caller) };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
    throw new ApiError('VALIDATION_ERROR', 'value does not name a creative.', 'value');
  }
}

export const deleteCreativeRule = defineRoute({
  method: 'DELETE',
  path: '/api/creatives/rules/:rule_id',
  tag: 'Creatives',
  operationId: 'deleteCreativeRule',
  summary: 'Take back a decision about creatives',
  description: 'What else was decided still holds.',
  access: 'account',
  reach: { operators: 'every-account' },
  params: RuleParams,
  errors: ['FORBIDDEN'],
  answer: { status: 204, schema: Type.Null() },
  async handle({ params: { rule_id: id }, caller, identity, parts }) {
    const state = await loadRule(parts, id);
    if (state === null) throw noDecision();
    const { scope, scopeId, accountId } = state;
    if (!seesAll(caller) && accountId !== caller.accountId) throw noDecision();
    try {
      await scopeToDecideIn(parts, caller, { scope, scope_id: scopeId });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'VALIDATION_ERROR') throw noDecision();
      throw error;
    }
    return withdraw(parts, identity, id, accountId);
  },
});
