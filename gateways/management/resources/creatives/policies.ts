import Type, { type Static } from 'typebox';
import { Nullable, Timestamp } from '#actors/api-schemas';
import { type CreativePolicyState, creativePolicy } from '#actors/creative-policy/creative-policy';
import { REVIEW_MODES, type ReviewScope, scopeKey } from '#exchange/creative/review-scope';
import type { ManagementDeps } from '../../deps.ts';
import type { RequestIds } from '../../identity/request-ids.ts';
import { defineRoute } from '../../routing/route.ts';
import { ScopeId, ScopeKind } from './creative.ts';
import { type DecidedScope, scopeToDecideIn } from './scope.ts';
import { scopesWhere } from './visible-scopes.ts';

export const Mode = Type.Enum([...REVIEW_MODES], {
  description:
    'What may be shown without a decision: `open`: all. `scanned`: that a scan has found nothing against. `reviewed`: nothing.',
});

export const CreativePolicy = Type.Object(
  {
    scope: ScopeKind,
    scope_id: ScopeId,
    mode: Mode,
    updated_at: Nullable({ ...Timestamp, description: 'Null while it was never set.' }),
  },
  { title: 'CreativePolicy' },
);
type CreativePolicy = Static<typeof CreativePolicy>;

export function showPolicy({ kind, id }: ReviewScope, state: CreativePolicyState | null): CreativePolicy {
  const set = state !== null && state.updatedAt !== '';
  return { scope: kind, scope_id: id, mode: set ? state.mode : 'open', updated_at: set ? state.updatedAt : null };
}

export const listCreativePolicies = defineRoute({
  method: 'GET',
  path: '/api/creatives/policies',
  tag: 'Creatives',
  operationId: 'listCreativePolicies',
  summary: 'List what may be shown without a decision, by scope',
  description:
    'Of scopes for which it was ever set; in all others everything may be shown (`open`). `exchange` is the mode of the whole exchange, which holds for everybody.',
  access: 'account',
  query: Type.Object({
    scope: Type.Optional(ScopeKind),
    scope_id: Type.Optional(ScopeId),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 1, description: 'A page, from 1 on.' })),
    per_page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, default: 200, description: 'How many a page has at most.' }),
    ),
  }),
  errors: ['INVALID_PARAMS'],
  answer: {
    status: 200,
    schema: Type.Object({
      exchange: Mode,
      policies: Type.Array(CreativePolicy),
      total: Type.Integer({ minimum: 0 }),
      page: Type.Integer(),
      per_page: Type.Integer(),
    }),
  },
  async handle({ query: { scope, scope_id: scopeId, page = 1, per_page: perPage = 200 }, caller, parts }) {
    const where = await scopesWhere(parts, caller, scopeId);
    const [{ documents, total }, exchange] = await Promise.all([
      parts.store.query(creativePolicy.kind, {
        where: { ...where, ...(scope !== undefined && { scope }) },
        skip: (page - 1) * perPage,
        limit: perPage,
      }),
      loadPolicy(parts, { kind: 'exchange', id: '' }),
    ]);
    const policies = documents.map(({ state }) => {
      const policy = state as CreativePolicyState;
      return showPolicy({ kind: policy.scope, id: policy.scopeId }, policy);
    });
    return { exchange: exchange?.mode ?? 'open', policies, total, page, per_page: perPage };
  },
});

export const setCreativePolicy = defineRoute({
  method: 'PUT',
  path: '/api/creatives/policies',
  tag: 'Creatives',
  operationId: 'setCreativePolicy',
  summary: 'Set what may be shown in a scope without a decision',
  description:
    'Each scope’s own mode must be met: `reviewed` by an approval in that scope or a wider one, `scanned` by a clean scan or such an approval. Bids that do not meet one lose as `creative-not-approved`. It holds on every edge within a second.',
  access: 'account',
  reach: { operators: 'every-account', unreached: 'VALIDATION_ERROR' },
  body: Type.Object(
    {
      scope: ScopeKind,
      scope_id: Type.Optional(
        Type.String({ maxLength: 64, description: 'The supply source, pool or account; without it, the own account.' }),
      ),
      mode: Mode,
    },
    { additionalProperties: false },
  ),
  examples: { body: { scope: 'account', mode: 'scanned' } },
  errors: ['FORBIDDEN'],
  answer: { status: 200, schema: CreativePolicy },
  async handle({ body: { mode, ...scope }, caller, identity, parts }) {
    return setPolicy(parts, identity, await scopeToDecideIn(parts, caller, scope), mode);
  },
});

export async function setPolicy(
  { messenger }: Pick<ManagementDeps, 'messenger'>,
  identity: RequestIds,
  { scope, accountId }: DecidedScope,
  mode: CreativePolicy['mode'],
): Promise<CreativePolicy> {
  const body = { scope: scope.kind, scopeId: scope.id, accountId, mode };
  const requestId = identity.askId();
  return showPolicy(scope, await messenger.ask(creativePolicy, scopeKey(scope), 'set', body, { requestId }));
}

export async function loadPolicy(
  { store }: Pick<ManagementDeps, 'store'>,
  scope: ReviewScope,
): Promise<CreativePolicyState | null> {
  const [document] = await store.load([{ kind: creativePolicy.kind, id: scopeKey(scope) }]);
  return document && !document.deleted ? (document.state as CreativePolicyState) : null;
}
