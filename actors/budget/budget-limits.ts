import type { BudgetLimits } from './messages.ts';

const NANOS_PER_CENT = 10_000_000;
/** Nothing of a campaign's daily budget is bid past 95 per cent (readings, "Pacing"). */
const NANOS_PER_PACED_CENT = 9_500_000;

/** Since when it has been limited, and the revision of its settings that says so. */
type LimitRevision = { readonly limitedSinceMs: number; readonly revision: number };

/** What a demand source's settings hold it to; null for no budget. */
export function dspBudgetLimits(dsp: LimitRevision & { readonly dailyBudgetCents: number }): BudgetLimits | null {
  const { dailyBudgetCents, limitedSinceMs: sinceMs, revision } = dsp;
  if (dailyBudgetCents === 0) return null;
  return { dailyNanos: nanosOf(dailyBudgetCents, NANOS_PER_CENT), totalNanos: 0, sinceMs, revision };
}

/** The same of a campaign, and of `budget` as its document says it. */
export function campaignBudgetLimits(
  { limitedSinceMs: sinceMs, revision }: LimitRevision,
  budget: { readonly daily_cents?: number; readonly total_cents?: number } | undefined,
): BudgetLimits | null {
  const { daily_cents: dailyCents = 0, total_cents: totalCents = 0 } = budget ?? {};
  if (dailyCents === 0 && totalCents === 0) return null;
  const dailyNanos = nanosOf(dailyCents, NANOS_PER_PACED_CENT);
  return { dailyNanos, totalNanos: nanosOf(totalCents, NANOS_PER_CENT), sinceMs, revision };
}

/** A budget beyond what a double counts is as good as the largest that it does. */
function nanosOf(cents: number, perCent: number): number {
  return Math.min(cents * perCent, Number.MAX_SAFE_INTEGER);
}
