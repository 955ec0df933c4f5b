import type { BudgetLimits } from './messages.ts';

const NANOS_PER_CENT = 10_000_000;
/** A campaign bids up to 95% of its daily budget (readings, "Pacing"): nano-dollars per cent of the budget. */
const NANOS_PER_PACED_CENT = 9_500_000;

/** The instant since which a holder has been limited, and the revision of its settings that says so. */
type LimitRevision = { readonly limitedSinceMs: number; readonly revision: number };

/** The limits in a demand source's settings; null without a budget. */
export function dspBudgetLimits(dsp: LimitRevision & { readonly dailyBudgetCents: number }): BudgetLimits | null {
  const { dailyBudgetCents, limitedSinceMs: sinceMs, revision } = dsp;
  if (dailyBudgetCents === 0) return null;
  return { dailyNanos: nanosOf(dailyBudgetCents, NANOS_PER_CENT), totalNanos: 0, sinceMs, revision };
}

/** The limits of a campaign, with `budget` as in its document. */
export function campaignBudgetLimits(
  { limitedSinceMs: sinceMs, revision }: LimitRevision,
  budget: { readonly daily_cents?: number; readonly total_cents?: number } | undefined,
): BudgetLimits | null {
  const { daily_cents: dailyCents = 0, total_cents: totalCents = 0 } = budget ?? {};
  if (dailyCents === 0 && totalCents === 0) return null;
  const dailyNanos = nanosOf(dailyCents, NANOS_PER_PACED_CENT);
  return { dailyNanos, totalNanos: nanosOf(totalCents, NANOS_PER_CENT), sinceMs, revision };
}

/** A budget that is larger than the largest exact number counts as that number. */
function nanosOf(cents: number, perCent: number): number {
  return Math.min(cents * perCent, Number.MAX_SAFE_INTEGER);
}
