/** Win (`nurl`), billing (`burl`) and loss notices (`lurl`). None has a body. */
export type NoticeKind = 'win' | 'billing' | 'loss';

/**
 * Win and billing notices use GET; loss notices use POST, unless their DSP wants GET (specification, Loss
 * notification).
 */
export type NoticeMethod = 'GET' | 'POST';

/** A notice on its way to a bidder's host. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly method: NoticeMethod;
  /** Path and query. */
  readonly path: string;
  /** Attempts made so far. */
  attempts: number;
  /** Time of the next attempt while it waits for one; monotonic ms. */
  dueAtMs: number;
}

/** Counts of notices by their end; each ends once. */
export interface NoticeCounts {
  /**
   * The host accepted it: any answer below 400. Redirects are not followed: a host that redirects has received the
   * notice.
   */
  delivered: number;
  /** The host refused it, and would refuse a repeat: 4xx but 408 and 429. */
  refused: number;
  /** Every attempt failed. */
  failed: number;
  /** A bound was reached, the exchange stopped, or the URL leads to an address that is not allowed. */
  dropped: number;
}

export type NoticeOutcome = keyof NoticeCounts;
export type CountsByKind = Readonly<Record<NoticeKind, NoticeCounts>>;

export function noCounts(): CountsByKind {
  const none = (): NoticeCounts => ({ delivered: 0, refused: 0, failed: 0, dropped: 0 });
  return { win: none(), billing: none(), loss: none() };
}

/** The part of a shared bound that notices of one kind may take: billing notices all of it, the others half. */
export function limitForKind(bound: number, kind: NoticeKind): number {
  return kind === 'billing' ? bound : Math.ceil(bound / 2);
}
