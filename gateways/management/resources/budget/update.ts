import Type from 'typebox';
import { dsp } from '#actors/dsp/dsp';
import { DailyBudgetCents } from '#actors/dsp/fields';
import { defineRoute } from '../../routing/route.ts';
import { loadDemandSource } from '../demand-sources/demand-source.ts';
import { Budget, BudgetParams, etagExtrasOf, loadBudget } from './budget.ts';

export const updateBudget = defineRoute({
  method: 'PUT',
  partial: true,
  path: '/api/demand/dsp/:id/budget',
  tag: 'Demand',
  operationId: 'updateBudget',
  summary: "Set a demand source's daily budget",
  description:
    'The same as `daily_budget_cents` of the demand source, whose revision it counts on. It holds from now on, for today too.',
  access: 'account',
  revised: true,
  params: BudgetParams,
  body: Type.Object({ daily_budget_cents: DailyBudgetCents }, { additionalProperties: false }),
  examples: { body: { daily_budget_cents: 250_000 } },
  answer: { status: 200, schema: Budget },
  errors: ['CONFLICT'],
  async handle({ params: { id }, body, caller, identity, expecting, revision, parts }) {
    await loadDemandSource(parts, id, caller);
    const changes = { dailyBudgetCents: body.daily_budget_cents };
    const updated = await parts.messenger.ask(
      dsp,
      id,
      'update',
      { scope: caller.scope, changes, ...(expecting && { expecting }) },
      { requestId: identity.askId() },
    );
    const budget = await loadBudget(parts, id, updated);
    revision(updated.revision, ...etagExtrasOf(budget));
    return budget;
  },
});
