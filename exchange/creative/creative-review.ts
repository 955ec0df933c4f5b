import { includesAnyDomain, includesDomain } from '../auction/advertiser-domain.ts';
import { includesCategory } from '../auction/block-lists.ts';
import type { LossReason } from '../auction/loss-reason.ts';
import { CONTENT_TAXONOMY_1 } from '../auction/prohibited.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { ReviewMode, ReviewSubject } from './review-scope.ts';

/** Which creative a bid brings, as decisions name it. */
export interface ReviewedCreative {
  readonly creativeId: string;
  readonly fingerprint: string;
  /**
   * The creative of this very markup, where the bid's creative stands for all markup of its `crid`; absent where they
   * are one. What was decided about it still holds.
   */
  readonly version?: { readonly creativeId: string; readonly fingerprint: string };
}

type Decided = Readonly<Record<ReviewSubject, Set<string>>>;

/** The decisions of one scope, and what may be shown in it without any. */
export class ScopeDecisions {
  mode: ReviewMode = 'open';
  readonly blocked: Decided = noDecisions();
  readonly approved: Decided = noDecisions();

  get isEmpty(): boolean {
    return this.mode === 'open' && !hasAny(this.blocked) && !hasAny(this.approved);
  }
}

function noDecisions(): Decided {
  return {
    creative: new Set(),
    fingerprint: new Set(),
    advertiser: new Set(),
    category: new Set(),
    attribute: new Set(),
    demand_source: new Set(),
  };
}

function hasAny(decided: Decided): boolean {
  return Object.values(decided).some((values) => values.size > 0);
}

/** What a review asks about a bid; the answers cost more than the decisions that need none of them. */
export interface ReviewQuestions {
  /** Null where the bid's markup is not there yet: it is judged when it is. */
  identify(): ReviewedCreative | null;
  /** Whether a scan has found nothing against the creative. */
  isClean(creativeId: string): boolean;
}

/**
 * The decisions that hold for one publisher: those of the exchange, its account, its pool and its own, in this order. A
 * decision holds in its scope and in all within it: a block of any of them blocks, and what a scope's mode demands is
 * met by an approval of that scope or of a wider one.
 */
export class CreativeReview {
  readonly #scopes: readonly ScopeDecisions[];
  readonly #needsIdentity: boolean;

  constructor(scopes: readonly ScopeDecisions[]) {
    this.#scopes = scopes;
    this.#needsIdentity = scopes.some(
      ({ mode, blocked }) => mode !== 'open' || blocked.creative.size > 0 || blocked.fingerprint.size > 0,
    );
  }

  /**
   * Why the bid must not be shown; undefined where it may. `advertisers` are the domains that a block of an advertiser
   * is compared with; what an approval covers is what the bid names itself.
   */
  refusal(
    bid: Bid,
    dspId: string,
    questions: ReviewQuestions,
    advertisers: readonly string[] | undefined = bid.adomain,
  ): LossReason | undefined {
    for (const { blocked } of this.#scopes) if (isNamed(blocked, bid, dspId, advertisers)) return 'creative-blocked';
    if (!this.#needsIdentity) return undefined;
    const creative = questions.identify();
    if (creative === null) return undefined;
    const { creativeId, version = creative } = creative;
    const isDecided = ({ creative: ids, fingerprint: fingerprints }: Decided) =>
      ids.has(creativeId) || ids.has(version.creativeId) || fingerprints.has(version.fingerprint);
    for (const { blocked } of this.#scopes) if (isDecided(blocked)) return 'creative-blocked';
    let isApproved = false;
    for (const { mode, approved } of this.#scopes) {
      isApproved ||= isDecided(approved) || isVouchedFor(approved, bid, dspId);
      if (isApproved || mode === 'open') continue;
      if (mode === 'reviewed' || !questions.isClean(creativeId)) return 'creative-not-approved';
    }
    return undefined;
  }
}

/** Whether an approval of the demand source, or of all the advertisers that the bid names, covers it. */
function isVouchedFor({ demand_source, advertiser }: Decided, { adomain = [] }: Bid, dspId: string): boolean {
  if (demand_source.has(dspId)) return true;
  return advertiser.size > 0 && adomain.length > 0 && adomain.every((domain) => includesDomain(advertiser, domain));
}

/** Whether a block names the bid by what stands in it beside its markup. */
function isNamed(
  { demand_source, advertiser, category, attribute }: Decided,
  bid: Bid,
  dspId: string,
  advertisers: readonly string[] | undefined,
): boolean {
  if (demand_source.has(dspId)) return true;
  if (advertiser.size > 0 && advertisers !== undefined && includesAnyDomain(advertiser, advertisers)) return true;
  if (category.size > 0 && bid.cat !== undefined && (bid.cattax ?? CONTENT_TAXONOMY_1) === CONTENT_TAXONOMY_1) {
    if (bid.cat.some((stated) => includesCategory(category, stated.toUpperCase()))) return true;
  }
  return attribute.size > 0 && bid.attr !== undefined && bid.attr.some((stated) => attribute.has(String(stated)));
}
