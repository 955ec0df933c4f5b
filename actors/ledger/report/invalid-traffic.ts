import { centsOf } from '#exchange/money/cents';
import { INVALID, INVALID_NANOS, REVALIDATED, REVALIDATED_NANOS } from '../invalid-counts.ts';

/**
 * One reason of invalid traffic: the number of ids whose first call was such traffic, and of those that a valid call
 * has billed after all.
 */
export interface InvalidByReason {
  readonly reason: string;
  readonly count: number;
  readonly billedLater: number;
}

/** The invalid traffic of a period: it is in no impressions and no money. */
export interface InvalidTraffic {
  readonly total: number;
  readonly billedLater: number;
  /** What the ids would have been billed, and the part that was billed after all; cents. */
  readonly grossCents: number;
  readonly billedLaterCents: number;
  /** The reasons, most frequent first. */
  readonly reasons: readonly InvalidByReason[];
}

/**
 * The invalid traffic in the counts of books, by name (see actors/ledger/invalid-counts.ts); other counts are ignored.
 */
export function invalidTraffic(counts: ReadonlyMap<string, number>): InvalidTraffic {
  const byReason = new Map<string, { count: number; billedLater: number }>();
  const of = (reason: string) => {
    const sums = byReason.get(reason) ?? { count: 0, billedLater: 0 };
    byReason.set(reason, sums);
    return sums;
  };
  for (const [name, count] of counts) {
    const slash = name.indexOf('/');
    const reason = name.slice(slash + 1);
    if (count === 0 || slash === -1) continue;
    if (name.startsWith(`${INVALID}/`)) of(reason).count += count;
    else if (name.startsWith(`${REVALIDATED}/`)) of(reason).billedLater += count;
  }
  const reasons = [...byReason].map(([reason, sums]) => ({ reason, ...sums }));
  const total = (of: 'count' | 'billedLater') => reasons.reduce((sum, each) => sum + each[of], 0);
  return {
    total: total('count'),
    billedLater: total('billedLater'),
    grossCents: centsOf(BigInt(counts.get(INVALID_NANOS) ?? 0)),
    billedLaterCents: centsOf(BigInt(counts.get(REVALIDATED_NANOS) ?? 0)),
    reasons: reasons.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
  };
}
