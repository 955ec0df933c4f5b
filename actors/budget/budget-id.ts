import type { LedgerOwner } from '../ledger/report/period.ts';

/** The holder of a budget: a demand source (daily), or a delegate's campaign (daily, total). */
export type BudgetHolder = LedgerOwner & { readonly scope: 'dsp' | 'campaign' };

/**
 * The id of a budget: `<scope>:<holder id>`, followed by `:sandbox.<generation>` in the sandbox. Ledgers of the holder
 * are named alike, so that spend of another environment does not count. A campaign has the generation of its demand
 * source.
 */
export function budgetId({ scope, id, sandbox, sandboxGeneration = 0 }: BudgetHolder): string {
  const owner = `${scope}:${encodeURIComponent(id)}`;
  return sandbox ? `${owner}:sandbox.${sandboxGeneration}` : owner;
}

/** The holder that a budget id names. */
export function parseBudgetId(id: string): BudgetHolder {
  const [scope, owner = '', sandbox] = id.split(':');
  const holder = { scope: scope as BudgetHolder['scope'], id: decodeURIComponent(owner) };
  if (sandbox === undefined) return { ...holder, sandbox: false };
  return { ...holder, sandbox: true, sandboxGeneration: Number(sandbox.slice('sandbox.'.length)) };
}
