import Type, { type Static } from 'typebox';
import { creative } from '#actors/creative/creative';
import type { CreativeState } from '#actors/creative/reduce';
import { creativeRuleId } from '#actors/creative-rule/rule-id';
import type { PublisherState } from '#actors/publisher/reduce';
import type { ReviewSubject } from '#exchange/creative/review-scope';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import type { SourceCaller } from '../../identity/caller.ts';
import type { RequestIds } from '../../identity/request-ids.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadOwnSource } from '../source-reports/own-source.ts';
import { AdvertiserValue, By } from './block.ts';
import { CreativeParams, SourceCreative, showListed, showParts } from './creative.ts';
import { decide, loadRule, namedValue, noDecision, withdraw } from './decide.ts';
import { CreativePolicy, loadPolicy, Mode, setPolicy, showPolicy } from './policies.ts';
import { creativePage, dspNames, filtersWhere, listCreatives, ownFilters, publisherScopeKey } from './query.ts';
import { countOwnReports, ReportBody, Reported } from './report.ts';
import { reviewOf } from './review.ts';
import { CreativeRule, Reason, RuleParams } from './rule.ts';
import { checkedValue, listRules, ruleBody, ruleFilters, rulePage } from './rules.ts';
import { type DecidedScope, deciderOfSource, scopeOfSource } from './scope.ts';
import { loadCreativeOfSource } from './visible.ts';

export const listSourceCreatives = defineRoute({
  method: 'GET',
  path: '/api/source/creatives',
  tag: 'Source reports',
  operationId: 'listSourceCreatives',
  summary: "List the creatives that were offered to the key's publisher",
  description:
    'Both sides of a trade know each other: the demand source is named. `wins`, `sightings` and `refusals` are of all publishers together. `decision` and `decisions` are those of this publisher.',
  access: 'publisher-key',
  query: Type.Object(ownFilters),
  errors: ['INVALID_PARAMS'],
  answer: { status: 200, schema: creativePage },
  async handle({ query, source, parts }) {
    const { accountId } = source;
    const own = { accountId, publisherIds: source.id, ...filtersWhere(query, publisherScopeKey(source.id)) };
    return listCreatives(parts, own, query, (found) =>
      found.map(({ id, state }) => ({ id, state: redactedFor(state, source) })),
    );
  },
});

export const readSourceCreative = defineRoute({
  method: 'GET',
  path: '/api/source/creatives/:id',
  tag: 'Source reports',
  operationId: 'getSourceCreative',
  summary: "Read a creative that was offered to the key's publisher",
  description: 'The markup is text of the bidder: show it as text, or by its preview.',
  access: 'publisher-key',
  params: CreativeParams,
  answer: { status: 200, schema: SourceCreative },
  async handle({ params: { id }, source, parts }) {
    const state = await loadCreativeOfSource(parts, id, source);
    const own = (await loadOwnSource(parts, source)) as PublisherState;
    const [names, review] = await Promise.all([
      dspNames(parts, [state.dspId]),
      reviewOf(parts, {
        ...{ id, state, publishers: new Map([[source.id, own]]), withPools: true },
        mayDecide: ({ kind }) => kind === 'publisher' && source.by.kind === 'session',
      }),
    ]);
    return {
      ...showListed(id, redactedFor(state, source), names(state.dspId)),
      ...showParts(state, (hash) => `${parts.settings.publicCreativesUrl}/creative/${hash}`),
      review,
    };
  },
});

/** Without what other scopes decided, and without reports, which are told to the account and the operators. */
function redactedFor(state: CreativeState, { id }: SourceCaller): CreativeState {
  const decisions = state.decisions.filter(({ scope, scopeId }) => scope === 'publisher' && scopeId === id);
  return { ...state, campaignId: null, reports: [], decisions };
}

const Body = Type.Object(
  { by: Type.Optional(By), value: Type.Optional(AdvertiserValue), reason: Type.Optional(Reason) },
  { additionalProperties: false },
);

export const blockSourceCreative = defineRoute({
  method: 'POST',
  path: '/api/source/creatives/:id/block',
  tag: 'Source reports',
  operationId: 'blockSourceCreative',
  summary: 'Block a creative, its markup, its advertiser or its demand source for the own publisher',
  description: 'For its people, who are logged in. It holds on every edge within a second.',
  access: 'publisher-session',
  params: CreativeParams,
  body: Body,
  examples: { body: { by: 'creative', reason: 'Opens a window by itself' } },
  errors: ['CONFLICT'],
  answer: { status: 200, schema: CreativeRule },
  handle: ({ params: { id }, body, source, identity, parts }) => decideOn(parts, identity, source, id, body, 'block'),
});

export const approveSourceCreative = defineRoute({
  method: 'POST',
  path: '/api/source/creatives/:id/approve',
  tag: 'Source reports',
  operationId: 'approveSourceCreative',
  summary: 'Approve a creative, its markup, its advertiser or its demand source for the own publisher',
  description:
    'For its people, who are logged in. The mode of the publisher admits it; modes and blocks of wider scopes still hold.',
  access: 'publisher-session',
  params: CreativeParams,
  body: Body,
  examples: { body: { by: 'creative', reason: 'Seen' } },
  errors: ['CONFLICT'],
  answer: { status: 200, schema: CreativeRule },
  handle: ({ params: { id }, body, source, identity, parts }) => decideOn(parts, identity, source, id, body, 'approve'),
});

async function decideOn(
  parts: ManagementDeps,
  identity: RequestIds,
  source: SourceCaller,
  id: string,
  { by = 'creative', value, reason = '' }: Static<typeof Body>,
  decision: 'block' | 'approve',
): Promise<CreativeRule> {
  const state = await loadCreativeOfSource(parts, id, source);
  return decide(parts, identity, {
    in: await ownScope(parts, source),
    subject: by,
    value: namedValue(id, state, by, value),
    decision,
    reason,
    decidedBy: deciderOfSource(source),
    creative: { id, state },
  });
}

async function ownScope(parts: ManagementDeps, source: SourceCaller): Promise<DecidedScope> {
  return scopeOfSource(source, (await loadOwnSource(parts, source)) as PublisherState);
}

export const withdrawSourceDecision = defineRoute({
  method: 'DELETE',
  path: '/api/source/creatives/:id/decision',
  tag: 'Source reports',
  operationId: 'withdrawSourceCreativeDecision',
  summary: 'Take back what was decided about a creative for the own publisher',
  description: 'For its people, who are logged in. What else was decided still holds.',
  access: 'publisher-session',
  params: CreativeParams,
  query: Type.Object({ by: Type.Optional(By), value: Type.Optional(AdvertiserValue) }),
  answer: { status: 204, schema: Type.Null() },
  async handle({ params: { id }, query: { by = 'creative', value }, source, identity, parts }) {
    const state = await loadCreativeOfSource(parts, id, source);
    const { scope, accountId } = await ownScope(parts, source);
    const ruleId = creativeRuleId(scope, by, namedValue(id, state, by, value));
    if ((await loadRule(parts, ruleId)) === null) throw noDecision();
    return withdraw(parts, identity, ruleId, accountId);
  },
});

export const reportSourceCreative = defineRoute({
  method: 'POST',
  path: '/api/source/creatives/:id/report',
  tag: 'Source reports',
  operationId: 'reportSourceCreative',
  summary: 'Report a creative to the account and to the operators of the exchange',
  description: 'For the people of the publisher, who are logged in.',
  access: 'publisher-session',
  params: CreativeParams,
  body: ReportBody,
  examples: { body: { reason: 'malware', comment: 'Redirects to a shop by itself' } },
  answer: { status: 201, schema: Reported },
  async handle({ params: { id }, body: { reason, comment = '' }, source, identity, parts }) {
    await loadCreativeOfSource(parts, id, source);
    const told = { by: deciderOfSource(source), reason, comment };
    const { reports } = await parts.messenger.ask(creative, id, 'report', told, { requestId: identity.askId() });
    return { id, report_count: countOwnReports(reports, told.by) };
  },
});

export const listSourceRules = defineRoute({
  method: 'GET',
  path: '/api/source/creatives/rules',
  tag: 'Source reports',
  operationId: 'listSourceCreativeRules',
  summary: 'List decisions about creatives for the own publisher, the newest first',
  description: 'Those of wider scopes hold too: each creative’s `review` shows what comes of all of them.',
  access: 'publisher-key',
  query: Type.Object(ruleFilters),
  errors: ['INVALID_PARAMS'],
  answer: { status: 200, schema: rulePage },
  handle: ({ query, source: { id, accountId }, parts }) =>
    listRules(parts, { accountId, scope: 'publisher', scopeId: id }, query),
});

export const createSourceRule = defineRoute({
  method: 'POST',
  path: '/api/source/creatives/rules',
  tag: 'Source reports',
  operationId: 'createSourceCreativeRule',
  summary: 'Decide about creatives for the own publisher by what they are',
  description:
    'For its people, who are logged in. A creative or demand source must be one that was offered to the publisher.',
  access: 'publisher-session',
  body: Type.Object(ruleBody, { additionalProperties: false }),
  examples: { body: { subject: 'advertiser', value: 'rival.example', decision: 'block', reason: 'A rival' } },
  errors: ['CONFLICT'],
  answer: { status: 201, schema: CreativeRule },
  async handle({ body: { subject, value, decision, reason = '' }, source, identity, parts }) {
    const kept = checkedValue(subject, value, decision);
    const named = await namedCreative(parts, source, subject, kept);
    return decide(parts, identity, {
      ...{ in: await ownScope(parts, source), subject, value: kept, decision, reason },
      decidedBy: deciderOfSource(source),
      creative: named && { id: kept, state: named },
    });
  },
});

async function namedCreative(
  parts: ManagementDeps,
  source: SourceCaller,
  subject: ReviewSubject,
  value: string,
): Promise<CreativeState | null> {
  if (subject === 'demand_source') {
    const where = { dspId: value, publisherIds: source.id };
    const [found] = await parts.store.find(creative.kind, { where, limit: 1 });
    if (found === undefined) throw new ApiError('VALIDATION_ERROR', 'value does not name a demand source.', 'value');
  }
  if (subject !== 'creative') return null;
  try {
    return await loadCreativeOfSource(parts, value, source);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
    throw new ApiError('VALIDATION_ERROR', 'value does not name a creative.', 'value');
  }
}

export const deleteSourceRule = defineRoute({
  method: 'DELETE',
  path: '/api/source/creatives/rules/:rule_id',
  tag: 'Source reports',
  operationId: 'deleteSourceCreativeRule',
  summary: 'Take back a decision about creatives for the own publisher',
  description: 'For its people, who are logged in. What else was decided still holds.',
  access: 'publisher-session',
  params: RuleParams,
  answer: { status: 204, schema: Type.Null() },
  async handle({ params: { rule_id: id }, source, identity, parts }) {
    const state = await loadRule(parts, id);
    if (state?.scope !== 'publisher' || state.scopeId !== source.id) throw noDecision();
    return withdraw(parts, identity, id, state.accountId);
  },
});

export const readSourcePolicy = defineRoute({
  method: 'GET',
  path: '/api/source/creatives/policy',
  tag: 'Source reports',
  operationId: 'getSourceCreativePolicy',
  summary: 'Read what the own publisher shows without a decision',
  description: 'Modes of its pool, its account and the exchange must be met as well.',
  access: 'publisher-key',
  answer: { status: 200, schema: CreativePolicy },
  async handle({ source: { id }, parts }) {
    const scope = { kind: 'publisher', id } as const;
    return showPolicy(scope, await loadPolicy(parts, scope));
  },
});

export const setSourcePolicy = defineRoute({
  method: 'PUT',
  path: '/api/source/creatives/policy',
  tag: 'Source reports',
  operationId: 'setSourceCreativePolicy',
  summary: 'Set what the own publisher shows without a decision',
  description: 'For its people, who are logged in. It holds on every edge within a second.',
  access: 'publisher-session',
  body: Type.Object({ mode: Mode }, { additionalProperties: false }),
  examples: { body: { mode: 'scanned' } },
  answer: { status: 200, schema: CreativePolicy },
  async handle({ body: { mode }, source, identity, parts }) {
    return setPolicy(parts, identity, await ownScope(parts, source), mode);
  },
});
