import { type BudgetHolder, budgetId } from '../../../actors/budget/budget-id.ts';
import type { Limits } from '../../../actors/budget/messages.ts';
import type { DspView } from '../../../actors/dsp/view.ts';
import type { KeptCampaign } from '../delegates/kept-campaign.ts';

/** A holder of a budget, and what it is held to. */
export interface LimitedHolder {
  readonly id: string;
  readonly holder: BudgetHolder;
  readonly limits: Limits;
}

const NANOS_PER_CENT = 10_000_000;
/** Nothing of a campaign's daily budget is bid past 95 per cent (readings, "Pacing"). */
const NANOS_PER_PACED_CENT = 9_500_000;

/** Null for a demand source without a budget. */
export function limitedDsp(dsp: DspView): LimitedHolder | null {
  const { dailyBudgetCents, limitedSinceMs, revision } = dsp;
  if (dailyBudgetCents === 0) return null;
  const dailyNanos = nanosOf(dailyBudgetCents, NANOS_PER_CENT);
  return limited({ scope: 'dsp', id: dsp.id, ...environmentOf(dsp) }, dailyNanos, 0, limitedSinceMs, revision);
}

/** Null for a campaign without a budget. */
export function limitedCampaign(campaign: KeptCampaign, dsp: DspView): LimitedHolder | null {
  const { daily_cents: dailyCents = 0, total_cents: totalCents = 0 } = campaign.budget ?? {};
  if (dailyCents === 0 && totalCents === 0) return null;
  return limited(
    { scope: 'campaign', id: campaign.id, ...environmentOf(dsp) },
    nanosOf(dailyCents, NANOS_PER_PACED_CENT),
    nanosOf(totalCents, NANOS_PER_CENT),
    campaign.limitedSinceMs,
    campaign.revision,
  );
}

function limited(
  holder: BudgetHolder,
  dailyNanos: number,
  totalNanos: number,
  sinceMs: number,
  revision: number,
): LimitedHolder {
  return { id: budgetId(holder), holder, limits: { dailyNanos, totalNanos, sinceMs, revision } };
}

function environmentOf({ status, sandboxGeneration }: DspView): Pick<BudgetHolder, 'sandbox' | 'sandboxGeneration'> {
  return { sandbox: status === 'sandbox', sandboxGeneration };
}

/** A budget beyond what a double counts is as good as the largest that it does. */
function nanosOf(cents: number, perCent: number): number {
  return Math.min(cents * perCent, Number.MAX_SAFE_INTEGER);
}
