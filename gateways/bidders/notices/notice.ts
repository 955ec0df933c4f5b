/** Win (`nurl`) and billing (`burl`) notices are GETs, loss notices (`lurl`) POSTs without a body. */
export type NoticeKind = 'win' | 'billing' | 'loss';

/** A notice on its way to a bidder's host. */
export interface Notice {
  readonly kind: NoticeKind;
  /** Path and query. */
  readonly path: string;
  /** Attempts made so far. */
  attempts: number;
}

/** How notices ended. */
export interface NoticeCounts {
  delivered: number;
  /** Every attempt failed. */
  failed: number;
  /** Not even tried: a bound was reached, or the URL leads nowhere we may go. */
  dropped: number;
}
