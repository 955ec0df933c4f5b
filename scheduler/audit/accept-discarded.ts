import type { DiscardedMoney } from '../billing/parked-money.ts';
import type { Difference } from './difference.ts';

/** A difference that an operator has accepted. */
export interface AcceptedDifference extends Difference {
  /** The messages that were discarded, by whom, when and why. */
  readonly accepted: string;
}

/** The ledgers, by check, that lack the amount of the totals that were discarded. */
const LEDGERS_BY_CHECK: Readonly<Record<string, readonly string[]>> = {
  'publishers make the platform': ['publisher', 'platform'],
  'demand sources make the platform': ['dsp', 'platform'],
  'accounts make the platform': ['account', 'platform'],
  'sold is bought': ['publisher', 'dsp'],
  'campaigns within their demand source': ['dsp'],
  'campaigns make their delegate': ['dsp', 'campaign'],
  'tallies are in the ledgers': ['platform'],
  'invalid traffic of publishers makes the platform’s': ['publisher', 'platform'],
  'invalid traffic of demand sources makes the platform’s': ['dsp', 'platform'],
  'invalid traffic of accounts makes the platform’s': ['account', 'platform'],
  'invalid traffic of tallies is in the ledgers': ['platform'],
};

/**
 * Accepts the differences that exist because totals of a ledger were discarded: those between that ledger's day and the
 * ledgers that received the same totals, up to the discarded amount. All others stay.
 */
export function acceptDiscarded(
  differences: readonly Difference[],
  discarded: readonly DiscardedMoney[],
): { readonly differences: Difference[]; readonly accepted: AcceptedDifference[] } {
  const left: Difference[] = [];
  const accepted: AcceptedDifference[] = [];
  for (const difference of differences) {
    const reasons = discarded.filter((money) => explains(money, difference));
    const isInvalid = difference.check.startsWith('invalid traffic');
    const mostNanos = reasons.reduce((sum, money) => sum + (isInvalid ? money.invalidNanos : money.grossNanos), 0n);
    if (reasons.length === 0 || gapOf(difference) > mostNanos) left.push(difference);
    else accepted.push({ ...difference, accepted: reasons.map(({ decision }) => decision).join('; ') });
  }
  return { differences: left, accepted };
}

function explains({ ledger }: DiscardedMoney, { check, where }: Difference): boolean {
  if (ledger === null || !LEDGERS_BY_CHECK[check]?.includes(ledger.scope)) return false;
  const { scope, whose, day, sandbox } = ledger;
  if (check === 'tallies are in the ledgers' || check === 'invalid traffic of tallies is in the ledgers')
    return where === day;
  if (!where.startsWith(`${sandbox ? 'sandbox' : 'live'} ${day} `)) return false;
  if (check === 'campaigns within their demand source') return where.endsWith(` ${whose}`);
  if (check === 'campaigns make their delegate') return scope === 'campaign' || where.endsWith(` ${whose}`);
  if (check !== 'sold is bought') return true;
  return scope === 'publisher' ? where.includes(` publisher ${whose}, `) : where.endsWith(`, demand source ${whose}`);
}

/** The text is that of moneyText. */
function gapOf({ expected, found }: Difference): bigint {
  const [a, b] = [expected, found].map((text) => BigInt(/gross (-?\d+)/.exec(text)?.[1] ?? 0)) as [bigint, bigint];
  return a > b ? a - b : b - a;
}
