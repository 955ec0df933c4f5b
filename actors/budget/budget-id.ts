import type { LedgerSource } from '../ledger/report/period.ts';

/** Who has a budget: a demand source (daily), and a delegate's campaign (daily, total). */
export type BudgetHolder = LedgerSource & { readonly scope: 'dsp' | 'campaign' };

/**
 * The id of a budget: `<scope>:<whose>`, with `:sandbox.<generation>` behind it in the sandbox, as the holder's ledgers are
 * named: what was spent in another environment does not count. A campaign's generation is its demand source's.
 */
export function budgetId({ scope, id, sandbox, sandboxGeneration = 0 }: BudgetHolder): string {
  const whose = `${scope}:${encodeURIComponent(id)}`;
  return sandbox ? `${whose}:sandbox.${sandboxGeneration}` : whose;
}
