import type { LedgerOwner } from '../ledger/report/period.ts';

/** Who has a budget: a demand source (daily), and a delegate's campaign (daily, total). */
export type BudgetHolder = LedgerOwner & { readonly scope: 'dsp' | 'campaign' };

/**
 * The id of a budget: `<scope>:<whose>`, with `:sandbox.<generation>` behind it in the sandbox, as the holder's ledgers are
 * named: what was spent in another environment does not count. A campaign's generation is its demand source's.
 */
export function budgetId({ scope, id, sandbox, sandboxGeneration = 0 }: BudgetHolder): string {
  const whose = `${scope}:${encodeURIComponent(id)}`;
  return sandbox ? `${whose}:sandbox.${sandboxGeneration}` : whose;
}

/** Whose budget an id names. */
export function parseBudgetId(id: string): BudgetHolder {
  const [scope, whose = '', sandbox] = id.split(':');
  const holder = { scope: scope as BudgetHolder['scope'], id: decodeURIComponent(whose) };
  if (sandbox === undefined) return { ...holder, sandbox: false };
  return { ...holder, sandbox: true, sandboxGeneration: Number(sandbox.slice('sandbox.'.length)) };
}
