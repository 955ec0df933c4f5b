import type { Caller } from '../../identity/caller.ts';

/**
 * The caller in whose scope the metrics of one source are read. Here `sandbox` chooses the data and not the visible
 * sources, so that a caller that may see a live source can also read what the source did in the sandbox. For a sandbox
 * key, live sources do not exist.
 */
export function callerForMetrics(caller: Caller): Caller {
  return { ...caller, scope: { ...caller.scope, sandboxOnly: caller.sandboxKey } };
}
