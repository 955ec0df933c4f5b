import { type BudgetHolder, budgetId } from '../../actors/budget/budget-id.ts';
import { limitsOfCampaign, limitsOfDsp } from '../../actors/budget/limits-of.ts';
import type { Limits } from '../../actors/budget/messages.ts';
import type { DspView } from '../../actors/dsp/fields.ts';
import type { KeptCampaign } from '../catalogue/kept-campaign.ts';

/** A holder of a budget, and what it is held to. */
export interface LimitedHolder {
  readonly id: string;
  readonly holder: BudgetHolder;
  readonly limits: Limits;
}

/** Null for a demand source without a budget. */
export function limitedDsp(dsp: DspView): LimitedHolder | null {
  return limited({ scope: 'dsp', id: dsp.id, ...environmentOf(dsp) }, limitsOfDsp(dsp));
}

/** Null for a campaign without a budget. */
export function limitedCampaign(campaign: KeptCampaign, dsp: DspView): LimitedHolder | null {
  const limits = limitsOfCampaign(campaign, campaign.budget ?? {});
  return limited({ scope: 'campaign', id: campaign.id, ...environmentOf(dsp) }, limits);
}

function limited(holder: BudgetHolder, limits: Limits | null): LimitedHolder | null {
  return limits === null ? null : { id: budgetId(holder), holder, limits };
}

function environmentOf({ status, sandboxGeneration }: DspView): Pick<BudgetHolder, 'sandbox' | 'sandboxGeneration'> {
  return { sandbox: status === 'sandbox', sandboxGeneration };
}
