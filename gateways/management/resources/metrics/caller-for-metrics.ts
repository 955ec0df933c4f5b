import type { Caller } from '../../identity/caller.ts';

/**
 * The caller as metrics of one source see with: `sandbox` chooses their data and not which sources there are, so whoever may see a
 * live source reads what it did in the sandbox too. For a sandbox key live sources do not exist.
 */
export function callerForMetrics(caller: Caller): Caller {
  return { ...caller, scope: { ...caller.scope, sandboxOnly: caller.sandboxKey } };
}
