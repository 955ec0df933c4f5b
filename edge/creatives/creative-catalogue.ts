import type { CreativeProjection } from '../../actors/creative/projection.ts';
import type { CreativePolicyProjection } from '../../actors/creative-policy/creative-policy.ts';
import type { CreativeRuleProjection } from '../../actors/creative-rule/reduce.ts';
import { advertiserDomain } from '../../exchange/auction/advertiser-domain.ts';
import { CreativeReview, ScopeDecisions } from '../../exchange/creative/creative-review.ts';
import { scopeKey } from '../../exchange/creative/review-scope.ts';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { TimeSlicer } from '../catalogue/slices.ts';

/** What a creative's cell holds, as bits. */
const CLEAN = 1;
const DYNAMIC = 2;

/** The publisher whose decisions are asked for, with the scopes around it. */
export interface ReviewedPublisher {
  readonly id: string;
  readonly accountId: string;
  readonly poolId: string | null;
}

const NO_SCOPES: readonly ScopeDecisions[] = [];

/**
 * All that this edge knows of creatives: what scans found, which are hosted, and what people decided. It follows the
 * catalogue from before the node starts.
 */
export class CreativeCatalogue {
  /** By creative. */
  readonly #known = new Map<string, number>();
  /** SHA-256 of hosted markup, by demand source and creative. */
  readonly #hosted = new Map<string, Map<string, string>>();
  /** Demand sources that have had creatives whose markup differs from auction to auction. */
  readonly #dynamic = new Set<string>();
  /** Decisions by scope. */
  readonly #scopes = new Map<string, ScopeDecisions>();
  /** The rules that hold, by their id: what is withdrawn does not say what it was. */
  readonly #rules = new Map<string, CreativeRuleProjection>();
  /** Reviews by publisher, since a decision last changed. */
  readonly #reviews = new Map<string, { readonly poolId: string | null; readonly review: CreativeReview | null }>();

  /** Must be constructed before the replica starts. */
  constructor(replica: Replica, clock: Clock) {
    const slices = new TimeSlicer(clock);
    replica.follow('creative', ({ id, projection }) => {
      this.#put(id, projection as CreativeProjection | null);
      return slices.yieldIfDue();
    });
    replica.follow('creative-rule', ({ id, projection }) => {
      this.#decide(id, projection as CreativeRuleProjection | null);
      return slices.yieldIfDue();
    });
    replica.follow('creative-policy', ({ id, projection }) => {
      this.#setMode(id, projection as CreativePolicyProjection | null);
    });
  }

  /** Number of creatives. */
  get size(): number {
    return this.#known.size;
  }

  has(creativeId: string): boolean {
    return this.#known.has(creativeId);
  }

  /** Whether a scan has found nothing against the creative. Of markup that differs, a scan has seen one example. */
  isClean(creativeId: string): boolean {
    return ((this.#known.get(creativeId) ?? 0) & (CLEAN | DYNAMIC)) === CLEAN;
  }

  /** Whether a demand source has creatives whose markup differs from auction to auction. */
  hasDynamic(dspId: string): boolean {
    return this.#dynamic.has(dspId);
  }

  isDynamic(creativeId: string): boolean {
    return ((this.#known.get(creativeId) ?? 0) & DYNAMIC) !== 0;
  }

  /** Whether any creative of the demand source is hosted. */
  hasHosted(dspId: string): boolean {
    return this.#hosted.has(dspId);
  }

  /** SHA-256 of the creative's hosted markup; null where it is served as it comes. */
  hostedFile(dspId: string, creativeId: string): string | null {
    return this.#hosted.get(dspId)?.get(creativeId) ?? null;
  }

  /** The decisions that hold for a publisher; null where there are none. */
  reviewFor({ id, accountId, poolId }: ReviewedPublisher): CreativeReview | null {
    if (this.#scopes.size === 0) return null;
    const kept = this.#reviews.get(id);
    if (kept !== undefined && kept.poolId === poolId) return kept.review;
    const scopes = [
      this.#decisionsOf('exchange', ''),
      this.#decisionsOf('account', accountId),
      poolId === null ? NO_SCOPES : this.#decisionsOf('pool', poolId),
      this.#decisionsOf('publisher', id),
    ].flat();
    const review = scopes.length === 0 ? null : new CreativeReview(scopes);
    this.#reviews.set(id, { poolId, review });
    return review;
  }

  #decisionsOf(kind: 'exchange' | 'account' | 'pool' | 'publisher', id: string): readonly ScopeDecisions[] {
    const decisions = this.#scopes.get(scopeKey({ kind, id }));
    return decisions === undefined ? NO_SCOPES : [decisions];
  }

  #put(id: string, projection: CreativeProjection | null): void {
    if (projection === null) {
      this.#known.delete(id);
      for (const dspId of this.#hosted.keys()) this.#host(dspId, id, null);
      return;
    }
    const { dspId, clean, dynamic, hosted } = projection;
    this.#known.set(id, (clean ? CLEAN : 0) | (dynamic ? DYNAMIC : 0));
    if (dynamic) this.#dynamic.add(dspId);
    this.#host(dspId, id, hosted);
  }

  #host(dspId: string, id: string, file: string | null): void {
    let ofDsp = this.#hosted.get(dspId);
    if (file === null) {
      if (ofDsp?.delete(id) && ofDsp.size === 0) this.#hosted.delete(dspId);
      return;
    }
    if (ofDsp === undefined) {
      ofDsp = new Map();
      this.#hosted.set(dspId, ofDsp);
    }
    ofDsp.set(id, file);
  }

  #decide(id: string, rule: CreativeRuleProjection | null): void {
    const before = this.#rules.get(id);
    if (before !== undefined) {
      this.#rules.delete(id);
      const decisions = this.#scopes.get(before.scope);
      decisions?.[before.decision === 'block' ? 'blocked' : 'approved'][before.subject].delete(decidedValue(before));
      if (decisions?.isEmpty) this.#scopes.delete(before.scope);
    }
    if (rule !== null) {
      this.#rules.set(id, rule);
      const decisions = this.#scopeOf(rule.scope);
      decisions[rule.decision === 'block' ? 'blocked' : 'approved'][rule.subject].add(decidedValue(rule));
    }
    this.#reviews.clear();
  }

  #setMode(scope: string, policy: CreativePolicyProjection | null): void {
    const decisions = this.#scopeOf(scope);
    decisions.mode = policy?.mode ?? 'open';
    if (decisions.isEmpty) this.#scopes.delete(scope);
    this.#reviews.clear();
  }

  #scopeOf(scope: string): ScopeDecisions {
    let decisions = this.#scopes.get(scope);
    if (decisions === undefined) {
      decisions = new ScopeDecisions();
      this.#scopes.set(scope, decisions);
    }
    return decisions;
  }
}

/** The value in the form in which bids are asked for it. */
function decidedValue({ subject, value }: CreativeRuleProjection): string {
  if (subject === 'advertiser') return advertiserDomain(value);
  return subject === 'category' ? value.toUpperCase() : value;
}
