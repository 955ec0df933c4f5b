import { budget } from '#actors/budget/budget';
import { budgetId } from '#actors/budget/budget-id';
import type { BudgetState } from '#actors/budget/state';
import { openMongodbStore } from '#runtime/providers/mongodb/open-mongodb-store';
import type { Deployment } from '../exchange/deployment.ts';

/** Up to which window the budget of a demand source is settled, ms since the epoch; 0 while none is. */
export async function settledThroughMs({ mongodb }: Deployment, dsp: string): Promise<number> {
  const store = await openMongodbStore({ url: mongodb });
  try {
    const [document] = await store.load([
      { kind: budget.kind, id: budgetId({ scope: 'dsp', id: dsp, sandbox: false }) },
    ]);
    return (document?.state as BudgetState | undefined)?.settledThroughMs ?? 0;
  } finally {
    await store.close();
  }
}
