import Type, { type Static } from 'typebox';
import { Nullable } from '#actors/api-schemas';
import type { CampaignState } from '#actors/campaign/reduce';
import type { DspState } from '#actors/dsp/reduce';
import { centsOf } from '#exchange/money/cents';
import type { ManagementDeps } from '../../deps.ts';
import { loadBudgetStatus, remainingCents } from '../budget/budget-status.ts';

const Cents = (description: string) => Type.Number({ minimum: 0, description });

/** The present status of a campaign's budgets, whatever period the request names. */
export const CampaignBudgetStatus = Type.Object(
  {
    daily_cents: Type.Number({ minimum: 0, description: '0 = none.' }),
    spent_today_cents: Cents('By impressions that were sold since midnight UTC and have been confirmed.'),
    reserved_today_cents: Cents('Edges may sell ads for it today, or have sold ads that may still be rendered.'),
    remaining_today_cents: Nullable(
      Cents('Daily budget less spent and reserved, never below 0; null without one. Of it, 5 per cent stay unspent.'),
    ),
    total_cents: Type.Number({ minimum: 0, description: '0 = none.' }),
    remaining_total_cents: Nullable(
      Cents('Total less all that was spent and is reserved, never below 0; null without one.'),
    ),
  },
  { description: 'How its budgets stand now, in the environment that the campaign is in.' },
);
export type CampaignBudgetStatus = Static<typeof CampaignBudgetStatus>;

export async function loadCampaignBudgetStatus(
  deps: ManagementDeps,
  id: string,
  { campaign, createdAt }: Pick<CampaignState, 'campaign' | 'createdAt'>,
  { sandbox, sandboxGeneration }: DspState,
): Promise<CampaignBudgetStatus> {
  const { daily_cents: daily = 0, total_cents: total = 0 } = campaign?.budget ?? {};
  const madeAtMs = total > 0 ? Date.parse(createdAt) : undefined;
  const standing = await loadBudgetStatus(deps, { scope: 'campaign', id, sandbox, sandboxGeneration }, madeAtMs);
  const limited = daily > 0 || total > 0;
  const spentToday = centsOf(standing.spentTodayNanos);
  const reservedToday = limited ? centsOf(standing.reservedTodayNanos) : 0;
  return {
    daily_cents: daily,
    spent_today_cents: spentToday,
    reserved_today_cents: reservedToday,
    remaining_today_cents: remainingCents(daily, spentToday, reservedToday),
    total_cents: total,
    remaining_total_cents: remainingCents(
      total,
      centsOf(standing.spentTotalNanos),
      centsOf(standing.reservedTotalNanos),
    ),
  };
}
