import Type, { type Static } from 'typebox';
import { Nullable, Timestamp } from '#actors/api-schemas';
import type { DspState } from '#actors/dsp/reduce';
import { DAY_MS } from '#actors/ledger/ledger-id';
import { centsOf } from '#exchange/money/cents';
import type { ManagementDeps } from '../../deps.ts';
import { loadBudgetStatus, remainingCents } from './budget-status.ts';

/** Cents with up to 4 decimals: one micro-dollar is a ten-thousandth of a cent. */
const Cents = (description: string) => Type.Number({ minimum: 0, description });

/** A demand source's budget of the present UTC day. */
export const Budget = Type.Object(
  {
    daily_budget_cents: Type.Integer({ minimum: 0, description: '0 = unlimited.' }),
    spent_today_cents: Cents('By impressions that were sold since midnight UTC and have been confirmed.'),
    reserved_cents: Cents(
      'Set aside: edges may sell ads for it, or have sold ads that may still be rendered, those too that were sold before there was a limit. What comes of neither is free again within minutes of the hour after the last moment for rendering; so is what an edge had that has died.',
    ),
    remaining_cents: Nullable(Cents('Budget less spent and reserved, never below 0; null when unlimited.')),
    resets_at: { ...Timestamp, description: 'The next midnight UTC.' },
  },
  {
    title: 'Budget',
    examples: [
      {
        daily_budget_cents: 500000,
        spent_today_cents: 123456.25,
        reserved_cents: 2500.5,
        remaining_cents: 374043.25,
        resets_at: '2026-03-15T00:00:00.000Z',
      },
    ],
  },
);
export type Budget = Static<typeof Budget>;

export const BudgetParams = Type.Object({ id: Type.String({ format: 'uuid' }) });

export async function loadBudget(deps: ManagementDeps, id: string, dsp: DspState): Promise<Budget> {
  const nowMs = deps.clock.now();
  const { sandbox, sandboxGeneration, dailyBudgetCents } = dsp;
  const standing = await loadBudgetStatus(deps, { scope: 'dsp', id, sandbox, sandboxGeneration });
  const spent = centsOf(standing.spentTodayNanos);
  const reserved = dailyBudgetCents === 0 ? 0 : centsOf(standing.reservedTodayNanos);
  return {
    daily_budget_cents: dailyBudgetCents,
    spent_today_cents: spent,
    reserved_cents: reserved,
    remaining_cents: remainingCents(dailyBudgetCents, spent, reserved),
    resets_at: new Date((Math.floor(nowMs / DAY_MS) + 1) * DAY_MS).toISOString(),
  };
}

/** The values of the ETag that change without a change of the demand source; what remains follows from them. */
export function etagExtrasOf({ spent_today_cents, reserved_cents, resets_at }: Budget): (number | string)[] {
  return [spent_today_cents, reserved_cents, resets_at.slice(0, 10)];
}
