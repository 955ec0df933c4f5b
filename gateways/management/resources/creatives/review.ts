import { account } from '#actors/account/account';
import { DYNAMIC_FINGERPRINT } from '#actors/creative/dynamic-fingerprint';
import type { CreativeState } from '#actors/creative/reduce';
import { type CreativePolicyState, creativePolicy } from '#actors/creative-policy/creative-policy';
import { creativeRule } from '#actors/creative-rule/creative-rule';
import type { CreativeRuleState } from '#actors/creative-rule/reduce';
import { pool } from '#actors/pool/pool';
import { advertiserDomain, includesDomain } from '#exchange/auction/advertiser-domain';
import { CONTENT_TAXONOMY_1 } from '#exchange/auction/prohibited';
import { type ReviewMode, type ReviewScope, type ReviewSubject, scopeKey } from '#exchange/creative/review-scope';
import type { ManagementDeps } from '../../deps.ts';
import type { ReviewStanding } from './creative.ts';
import type { ReviewingPublisher } from './visible.ts';

/** Rules that one review looks at. A creative that more rules name is shown by the oldest of them. */
const MOST_RULES = 1_000;

interface Rule {
  readonly id: string;
  readonly state: CreativeRuleState;
}

interface Reviewed {
  readonly id: string;
  readonly state: CreativeState;
  /** Those of its supply sources whose standings are wanted. */
  readonly publishers: ReadonlyMap<string, Pick<ReviewingPublisher, 'name' | 'poolId'>>;
  /** Whether standings of pools are wanted: those of the publishers. */
  readonly withPools: boolean;
  readonly mayDecide: (scope: ReviewScope) => boolean;
}

/** The standing of a creative in the exchange, in its account, and for its supply sources, the widest scope first. */
export async function reviewOf(
  { store }: Pick<ManagementDeps, 'store'>,
  { id, state, publishers, withPools, mayDecide }: Reviewed,
): Promise<ReviewStanding[]> {
  const exchange: ReviewScope = { kind: 'exchange', id: '' };
  const own: ReviewScope = { kind: 'account', id: state.accountId };
  const poolIds = [...new Set([...publishers.values()].flatMap(({ poolId }) => (poolId === null ? [] : [poolId])))];
  const pools = poolIds.map((poolId): ReviewScope => ({ kind: 'pool', id: poolId }));
  const sources = [...publishers.keys()].map((publisherId): ReviewScope => ({ kind: 'publisher', id: publisherId }));
  const scopes = [exchange, own, ...pools, ...sources];
  const subjects = subjectsOf(id, state);
  const values = [...new Set(subjects.keys())].map((key) => key.slice(key.indexOf(' ') + 1));
  const [found, policies, named] = await Promise.all([
    store.query(creativeRule.kind, {
      where: { accountId: { in: ['', state.accountId] }, value: { in: [...new Set(values)] } },
      orderBy: 'decidedAt',
      limit: MOST_RULES,
    }),
    store.load(scopes.map((scope) => ({ kind: creativePolicy.kind, id: scopeKey(scope) }))),
    store.load([
      { kind: account.kind, id: state.accountId },
      ...poolIds.map((poolId) => ({ kind: pool.kind, id: poolId })),
    ]),
  ]);
  const rules = found.documents
    .map((document): Rule => ({ id: document.id, state: document.state as CreativeRuleState }))
    .filter((rule) => rule.state.decision !== 'none' && subjects.has(`${rule.state.subject} ${rule.state.value}`));
  const modes = new Map<string, ReviewMode>();
  for (const document of policies) {
    if (document && !document.deleted) modes.set(document.id, (document.state as CreativePolicyState).mode);
  }
  const names = new Map<string, string>();
  for (const document of named) {
    if (document && !document.deleted) names.set(document.id, (document.state as { name: string }).name);
  }
  for (const [publisherId, { name }] of publishers) names.set(publisherId, name);
  const chainOf = (scope: ReviewScope): ReviewScope[] => {
    if (scope.kind === 'exchange') return [exchange];
    if (scope.kind === 'account') return [exchange, own];
    if (scope.kind === 'pool') return [exchange, own, scope];
    const poolId = publishers.get(scope.id)?.poolId ?? null;
    return [exchange, own, ...(poolId === null ? [] : [{ kind: 'pool', id: poolId } as const]), scope];
  };
  const shown = withPools ? scopes : scopes.filter(({ kind }) => kind !== 'pool');
  return shown.map((scope) => ({
    scope: scope.kind,
    scope_id: scope.id,
    scope_name: scope.kind === 'exchange' ? 'Exchange' : (names.get(scope.id) ?? scope.id),
    ...standingIn(chainOf(scope), rules, modes, state),
    mode: modes.get(scopeKey(scope)) ?? 'open',
    may_decide: mayDecide(scope),
  }));
}

/**
 * The standing at the end of a chain of scopes: a block anywhere in it blocks, and each scope's own mode must be met by
 * the scan or by an approval in that scope or a wider one. The same as `CreativeReview` says of a bid.
 */
function standingIn(
  chain: readonly ReviewScope[],
  rules: readonly Rule[],
  modes: ReadonlyMap<string, ReviewMode>,
  { advertiserDomains, fingerprint, scan }: CreativeState,
): Pick<ReviewStanding, 'state' | 'cause'> {
  const rulesIn = ({ kind, id }: ReviewScope, decision: 'block' | 'approve') =>
    rules.filter(({ state }) => state.scope === kind && state.scopeId === id && state.decision === decision);
  // Of markup that differs from auction to auction, a scan has seen one example.
  const isClean = scan.status === 'clean' && fingerprint !== DYNAMIC_FINGERPRINT;
  const [block] = chain.flatMap((scope) => rulesIn(scope, 'block'));
  if (block !== undefined) return { state: 'blocked', cause: causeOf(block) };
  let approval: Rule | undefined;
  for (const scope of chain) {
    approval ??= approvalOf(rulesIn(scope, 'approve'), advertiserDomains);
    const mode = modes.get(scopeKey(scope)) ?? 'open';
    if (mode === 'open' || approval !== undefined || (mode === 'scanned' && isClean)) continue;
    const { kind, id } = scope;
    const cause = { kind: 'mode', scope: kind, scope_id: id, mode, ...{ rule_id: null, subject: null } } as const;
    return { state: 'not-approved', cause: { ...cause, value: null, reason: null } };
  }
  return approval === undefined ? { state: 'admitted', cause: null } : { state: 'approved', cause: causeOf(approval) };
}

/** The approval that covers a creative: of the creative, its markup or its demand source, or of all its advertisers. */
function approvalOf(approvals: readonly Rule[], domains: readonly string[]): Rule | undefined {
  const whole = approvals.find(({ state }) => state.subject !== 'advertiser');
  if (whole !== undefined) return whole;
  const approved = new Set(approvals.map(({ state }) => advertiserDomain(state.value)));
  const all = domains.length > 0 && domains.every((domain) => includesDomain(approved, domain));
  return all ? approvals[0] : undefined;
}

function causeOf({
  id,
  state: { scope, scopeId, subject, value, reason },
}: Rule): NonNullable<ReviewStanding['cause']> {
  return { kind: 'rule', scope, scope_id: scopeId, rule_id: id, subject, value, mode: null, reason };
}

/** What decisions may name of a creative: `<subject> <value>`. */
function subjectsOf(id: string, state: CreativeState): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (subject: ReviewSubject, value: string) => found.add(`${subject} ${value}`);
  add('creative', id);
  if (state.fingerprint !== '') add('fingerprint', state.fingerprint);
  add('demand_source', state.dspId);
  for (const domain of state.advertiserDomains) {
    // Decisions of 0.4.0 and before name internationalised domains in their own letters.
    for (const form of new Set([advertiserDomain(domain), domain.toLowerCase()])) {
      const labels = form.split('.');
      for (let from = 0; from < labels.length; from += 1) add('advertiser', labels.slice(from).join('.'));
    }
  }
  for (const stated of state.categoryTaxonomy === CONTENT_TAXONOMY_1 ? state.categories : []) {
    const category = stated.toUpperCase();
    add('category', category);
    add('category', category.split('-')[0]!);
  }
  for (const attribute of state.attributes) add('attribute', String(attribute));
  return found;
}
