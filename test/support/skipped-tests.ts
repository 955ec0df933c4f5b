import type { Context, Runnable, Suite, Test } from 'mocha';

/** Why a test, or each test of a suite, was left out. */
const reasons = new WeakMap<object, string>();

/**
 * Leaves out the test that is running, or all tests of the suite whose hook is running, for a reason that the summary of
 * the run names. Never returns.
 */
export function skipWithReason(context: Context, reason: string): never {
  const runnable = (context.test ?? context.runnable()) as Runnable & { readonly type?: string };
  reasons.set(runnable.type === 'hook' && runnable.parent ? runnable.parent : runnable, reason);
  return context.skip();
}

/** Declares, in place of tests that cannot be declared, one that is left out for `reason`. */
export function declareSkipped(title: string, reason: string): void {
  it(title, function () {
    skipWithReason(this, reason);
  });
}

/** Undefined where nobody said why. */
export function skipReasonOf(test: Test): string | undefined {
  let at: Test | Suite | undefined = test;
  while (at !== undefined) {
    const reason = reasons.get(at);
    if (reason !== undefined) return reason;
    at = at.parent;
  }
  return undefined;
}
