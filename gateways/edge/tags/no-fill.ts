import type { Context } from 'koa';
import { summaryOf } from '../../../actors/auction-record/summary.ts';
import type { HeldAuction } from '../../../edge/auction/held-auction.ts';
import type { AuctionContext } from '../../../edge/auction-context.ts';
import { describeAuction } from '../../../edge/recording/describe-auction.ts';
import { remedyOf } from '../../../exchange/auction/reason-remedies.ts';

/** To developers, of a tag that nothing was sold for. */
export const NO_FILL_HEADERS = {
  /** By the name that `GET /api/auctions` knows it by: to the sandbox, and to who asks with a key of the account. */
  reason: 'X-No-Fill-Reason',
  /** In sentences, with what would change it: to who asks with a key. */
  detail: 'X-No-Fill-Detail',
} as const;

/** Headers are short. */
const LONGEST_HEADER = 1_000;

/** Why a tag stayed empty. */
export interface NoFill {
  readonly reason: string;
  /** What happened and what would change it; null for who is told the reason alone. */
  readonly detail: string | null;
}

/**
 * Of an auction that sold nothing. `isOwner`: who asks has shown a key of the publisher's account, and may know of prices and
 * campaigns what the auction explorer would tell. A publisher's own key, which is never told who bid, is told the reason, and
 * so is anybody in the sandbox; nothing else.
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

/** For a document that shows nothing. Two hyphens would end it (XML 1.0 §2.5), and what buyers wrote opens nothing and breaks nothing. */
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
