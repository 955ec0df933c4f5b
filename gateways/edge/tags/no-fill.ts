import type { Context } from 'koa';
import { summaryOf } from '#actors/auction-record/summary';
import type { HeldAuction } from '#edge/auction/held-auction';
import type { AuctionContext } from '#edge/auction-context';
import { describeAuction } from '#edge/recording/describe-auction';
import { remedyOf } from '#exchange/auction/reason-remedies';

/** Headers for developers, of a tag for which nothing was sold. */
export const NO_FILL_HEADERS = {
  /**
   * The reason by the name that `GET /api/auctions` uses. Sent in the sandbox, and to callers with a key of the
   * account.
   */
  reason: 'X-No-Fill-Reason',
  /** The reason in sentences, with what would change it. Sent to callers with a key. */
  detail: 'X-No-Fill-Detail',
} as const;

/** Upper bound of a header's characters. */
const LONGEST_HEADER = 1_000;

/** Why a tag stayed empty. */
export interface NoFill {
  readonly reason: string;
  /** What happened and what would change it; null for callers that may know the reason only. */
  readonly detail: string | null;
}

/**
 * The no-fill reason of an auction that sold nothing. `isOwner`: the caller has shown a key of the publisher's account,
 * and may know prices and campaigns as the auction explorer shows them. A caller with a publisher's own key, which
 * never learns who bid, and any caller in the sandbox get the reason only.
 */
export function explainNoFill(context: AuctionContext, held: HeldAuction, isOwner: boolean): NoFill {
  const nobody = { atMs: 0, region: '', edge: '', represents: 1, blockedCategories: [] };
  const record = describeAuction(context, held, { tookMs: 0, expired: false }, nobody);
  const { reason } = record;
  if (!isOwner) return { reason: reason!, detail: null };
  const remedy = remedyOf(reason!);
  const words = summaryOf(record);
  return { reason: reason!, detail: remedy === null ? words : `${words} To change it: ${remedy}` };
}

export function setNoFillHeaders(ctx: Context, { reason, detail }: NoFill): void {
  ctx.set(NO_FILL_HEADERS.reason, reason);
  if (detail !== null) ctx.set(NO_FILL_HEADERS.detail, toHeaderValue(detail));
}

/**
 * The reason as a comment for a document that shows nothing. Two hyphens would end the comment (XML 1.0 §2.5), so text
 * of buyers can neither open nor break anything.
 */
export function noFillComment({ reason, detail }: NoFill): string {
  return `<!-- No ad: ${readable(detail ?? reason)} -->`;
}

function readable(text: string): string {
  let safe = '';
  for (const character of text)
    safe += character < ' ' || character === '<' || character === '>' ? ' ' : character === '-' ? '‐' : character;
  return safe;
}

/** A field value of visible ASCII (RFC 9110 §5.5). */
function toHeaderValue(text: string): string {
  let value = '';
  for (const character of text.replaceAll('’', "'").slice(0, LONGEST_HEADER)) {
    value += character >= ' ' && character <= '~' ? character : '?';
  }
  return value;
}
