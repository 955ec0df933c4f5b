import { defineRoute } from '../../routing/route.ts';
import { loadDemandSource } from '../demand-sources/demand-source.ts';
import { Budget, BudgetParams, etagExtrasOf, loadBudget } from './budget.ts';

export const readBudget = defineRoute({
  method: 'GET',
  path: '/api/demand/dsp/:id/budget',
  tag: 'Demand',
  operationId: 'getBudget',
  summary: "Read what is left of a demand source's daily budget",
  description: 'Of the running UTC day; impressions that are sold and not billed yet are reserved.',
  access: 'account',
  revised: true,
  params: BudgetParams,
  answer: { status: 200, schema: Budget },
  async handle({ params: { id }, caller, revision, parts }) {
    const dsp = await loadDemandSource(parts, id, caller);
    const budget = await loadBudget(parts, id, dsp);
    revision(dsp.revision, ...etagExtrasOf(budget));
    return budget;
  },
});
