import { type BudgetHolder, budgetId } from '../../actors/budget/budget-id.ts';
import { campaignBudgetLimits, dspBudgetLimits } from '../../actors/budget/budget-limits.ts';
import type { BudgetLimits } from '../../actors/budget/messages.ts';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { CatalogueCampaign } from '../catalogue/kept-campaign.ts';

/** A holder of a budget, with its limits. */
export interface LimitedHolder {
  readonly id: string;
  readonly holder: BudgetHolder;
  readonly limits: BudgetLimits;
}

/** The holder of a DSP's budget; null for a DSP without one. */
export function limitedDsp(dsp: DspProjection): LimitedHolder | null {
  return limited({ scope: 'dsp', id: dsp.id, ...environmentOf(dsp) }, dspBudgetLimits(dsp));
}

/** The holder of a campaign's budget; null for a campaign without one. */
export function limitedCampaign(campaign: CatalogueCampaign, dsp: DspProjection): LimitedHolder | null {
  const limits = campaignBudgetLimits(campaign, campaign.budget ?? {});
  return limited({ scope: 'campaign', id: campaign.id, ...environmentOf(dsp) }, limits);
}

function limited(holder: BudgetHolder, limits: BudgetLimits | null): LimitedHolder | null {
  return limits === null ? null : { id: budgetId(holder), holder, limits };
}

function environmentOf({
  status,
  sandboxGeneration,
}: DspProjection): Pick<BudgetHolder, 'sandbox' | 'sandboxGeneration'> {
  return { sandbox: status === 'sandbox', sandboxGeneration };
}
