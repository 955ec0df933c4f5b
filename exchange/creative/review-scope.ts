/**
 * Whose ads a decision is about: those of one supply source, of a pool's, of an account's, or of the whole exchange.
 * What holds in a scope holds in all scopes within it.
 */
export const REVIEW_SCOPES = ['exchange', 'account', 'pool', 'publisher'] as const;
export type ReviewScopeKind = (typeof REVIEW_SCOPES)[number];

export interface ReviewScope {
  readonly kind: ReviewScopeKind;
  /** '' for the exchange. */
  readonly id: string;
}

/** `exchange`, or `<kind>:<id>`. */
export function scopeKey({ kind, id }: ReviewScope): string {
  return kind === 'exchange' ? kind : `${kind}:${id}`;
}

/** What a decision names. */
export const REVIEW_SUBJECTS = [
  /** One creative, by its id. */
  'creative',
  /** Markup, whoever brings it and however it is called. */
  'fingerprint',
  /** An advertiser's domain, and all below it. */
  'advertiser',
  /** A category of IAB Content Taxonomy 1.0, and all below it. */
  'category',
  /** A creative attribute of AdCOM. */
  'attribute',
  /** All creatives of a demand source. */
  'demand_source',
] as const;
export type ReviewSubject = (typeof REVIEW_SUBJECTS)[number];

/**
 * What may be shown without a decision: everything (`open`), what a scan has found nothing against (`scanned`), or
 * nothing (`reviewed`).
 */
export const REVIEW_MODES = ['open', 'scanned', 'reviewed'] as const;
export type ReviewMode = (typeof REVIEW_MODES)[number];
