import { encodedLength } from '../tracking/query.ts';
import type { SoldRequest } from './sale-context.ts';
import { isInTestMode } from './test-mode.ts';

/**
 * Upper bound, in URL-encoded characters, of a DSP's `nurl` and `burl` together that tracking URLs carry, so that the
 * first billed impression can send the win notice. A longer `nurl` is called through the exchange's own `nurl` only:
 * each character stands in the markup several times.
 */
const LONGEST_CARRIED = 2_000;

/**
 * Whether a sale's tracking URLs carry the DSP's `nurl`, for its first billed impression. A tag's sale never does, as
 * its DSP is notified at once; nor does one in test mode, which is never billed.
 */
export function carriesWinNotice(
  winNoticeUrl: string | null,
  billingNoticeUrl: string | null,
  auction: Pick<SoldRequest, 'askedBy' | 'request' | 'sandbox'>,
): winNoticeUrl is string {
  const { askedBy } = auction;
  if (winNoticeUrl === null || askedBy === undefined || askedBy.isTag || isInTestMode(auction)) return false;
  const billingLength = billingNoticeUrl === null ? 0 : encodedLength(billingNoticeUrl);
  return billingLength + encodedLength(winNoticeUrl) <= LONGEST_CARRIED;
}
