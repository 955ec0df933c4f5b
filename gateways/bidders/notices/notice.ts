/** Win (`nurl`), billing (`burl`) and loss notices (`lurl`). None has a body. */
export type NoticeKind = 'win' | 'billing' | 'loss';

/** Wins and bills are told by GET; losses by POST, unless their demand source wants GET (specification, Loss notification). */
export type NoticeMethod = 'GET' | 'POST';

/** A notice on its way to a bidder's host. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly method: NoticeMethod;
  /** Path and query. */
  readonly path: string;
  /** Attempts made so far. */
  attempts: number;
  /** Of the next attempt, while it waits for one; monotonic ms. */
  dueAtMs: number;
}

/** How notices ended; each ends once. */
export interface NoticeCounts {
  /** The host took it: any answer below 400. Redirects are not followed: whoever redirects has heard. */
  delivered: number;
  /** The host does not want it, and would not a second time: 4xx but 408 and 429. */
  refused: number;
  /** Every attempt failed. */
  failed: number;
  /** A bound was reached, the exchange stopped, or the URL leads nowhere we may go. */
  dropped: number;
}

export type NoticeOutcome = keyof NoticeCounts;
export type CountsByKind = Readonly<Record<NoticeKind, NoticeCounts>>;

export function noCounts(): CountsByKind {
  const none = (): NoticeCounts => ({ delivered: 0, refused: 0, failed: 0, dropped: 0 });
  return { win: none(), billing: none(), loss: none() };
}

/** What notices of a kind may take of a bound that they share with the others: money has all of it, the others half. */
export function limitForKind(bound: number, kind: NoticeKind): number {
  return kind === 'billing' ? bound : Math.ceil(bound / 2);
}
