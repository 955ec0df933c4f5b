import Type, { type Static } from 'typebox';
import { creativeRuleId } from '#actors/creative-rule/rule-id';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import type { RequestIds } from '../../identity/request-ids.ts';
import { defineRoute } from '../../routing/route.ts';
import { CreativeParams, ScopeId, ScopeKind } from './creative.ts';
import { DECIDED_BY, decide, loadRule, namedValue, noDecision, withdraw } from './decide.ts';
import { CreativeRule, Reason } from './rule.ts';
import { deciderOf, scopeToDecideIn } from './scope.ts';
import { loadCreative } from './visible.ts';

export const By = Type.Enum([...DECIDED_BY], {
  default: 'creative',
  description:
    'What of the creative the decision names: this one alone, its markup, its advertiser, or its demand source.',
});
export const AdvertiserValue = Type.String({
  minLength: 1,
  maxLength: 253,
  description: 'With `by: advertiser`: the domain, one of the creative or one that these are below.',
});

const decisionBody = {
  scope: ScopeKind,
  scope_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'The supply source, pool or account; without it, the own account.' }),
  ),
  by: Type.Optional(By),
  value: Type.Optional(AdvertiserValue),
  reason: Type.Optional(Reason),
};
const Body = Type.Object(decisionBody, { additionalProperties: false });

const scopesDescription =
  'In the scope of a supply source or pool of yours, or of your account; operators decide for the exchange and in every scope. It holds on every edge within a second, in that scope and all within. What was decided before about the same is replaced.';

export const blockCreative = defineRoute({
  method: 'POST',
  path: '/api/creatives/:id/block',
  tag: 'Creatives',
  operationId: 'blockCreative',
  summary: 'Block a creative, its markup, its advertiser or its demand source in a scope',
  description: `Its bids lose as \`creative-blocked\`. ${scopesDescription} Webhooks are told by \`creative.blocked\`.`,
  access: 'account',
  reach: { operators: 'every-account' },
  params: CreativeParams,
  body: Body,
  examples: { body: { scope: 'account', by: 'creative', reason: 'Opens a window by itself' } },
  errors: ['FORBIDDEN', 'CONFLICT'],
  answer: { status: 200, schema: CreativeRule },
  handle: ({ params: { id }, body, caller, identity, parts }) => decideOn(parts, identity, caller, id, body, 'block'),
});

export const approveCreative = defineRoute({
  method: 'POST',
  path: '/api/creatives/:id/approve',
  tag: 'Creatives',
  operationId: 'approveCreative',
  summary: 'Approve a creative, its markup, its advertiser or its demand source in a scope',
  description: `Modes of that scope and of those within admit it. A block in a wider or narrower scope still holds. ${scopesDescription}`,
  access: 'account',
  reach: { operators: 'every-account' },
  params: CreativeParams,
  body: Body,
  examples: { body: { scope: 'account', by: 'creative', reason: 'Seen' } },
  errors: ['FORBIDDEN', 'CONFLICT'],
  answer: { status: 200, schema: CreativeRule },
  handle: ({ params: { id }, body, caller, identity, parts }) => decideOn(parts, identity, caller, id, body, 'approve'),
});

async function decideOn(
  parts: ManagementDeps,
  identity: RequestIds,
  caller: Caller,
  id: string,
  { by = 'creative', value, reason = '', ...scope }: Static<typeof Body>,
  decision: 'block' | 'approve',
): Promise<CreativeRule> {
  const state = await loadCreative(parts, id, caller);
  const place = await scopeToDecideIn(parts, caller, scope);
  return decide(parts, identity, {
    in: place,
    subject: by,
    value: namedValue(id, state, by, value),
    decision,
    reason,
    decidedBy: deciderOf(caller),
    creative: { id, state },
  });
}

export const withdrawCreativeDecision = defineRoute({
  method: 'DELETE',
  path: '/api/creatives/:id/decision',
  tag: 'Creatives',
  operationId: 'withdrawCreativeDecision',
  summary: 'Take back what was decided about a creative in a scope',
  description: 'What else was decided still holds.',
  access: 'account',
  reach: { operators: 'every-account' },
  params: CreativeParams,
  query: Type.Object({
    scope: ScopeKind,
    scope_id: Type.Optional(ScopeId),
    by: Type.Optional(By),
    value: Type.Optional(AdvertiserValue),
  }),
  errors: ['FORBIDDEN', 'INVALID_PARAMS'],
  answer: { status: 204, schema: Type.Null() },
  async handle({ params: { id }, query: { by = 'creative', value, ...scope }, caller, identity, parts }) {
    const state = await loadCreative(parts, id, caller);
    const place = await scopeToDecideIn(parts, caller, scope, 'INVALID_PARAMS');
    const ruleId = creativeRuleId(place.scope, by, namedValue(id, state, by, value));
    if ((await loadRule(parts, ruleId)) === null) throw noDecision();
    return withdraw(parts, identity, ruleId, place.accountId);
  },
});
