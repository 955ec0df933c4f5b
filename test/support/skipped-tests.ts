import type { Context, Runnable, Suite, Test } from 'mocha';

/** The reason why a test, or each test of a suite, was skipped. */
const reasons = new WeakMap<object, string>();

/**
 * Skips the running test, or all tests of the suite whose hook is running, with a reason for the run's summary. Never
 * returns.
 */
export function skipWithReason(context: Context, reason: string): never {
  const runnable = (context.test ?? context.runnable()) as Runnable & { readonly type?: string };
  reasons.set(runnable.type === 'hook' && runnable.parent ? runnable.parent : runnable, reason);
  return context.skip();
}

/** Declares one skipped test with a reason, in place of tests that cannot be declared. */
export function declareSkipped(title: string, reason: string): void {
  it(title, function () {
    skipWithReason(this, reason);
  });
}

/** The reason of a skipped test; undefined when none was given. */
export function skipReasonOf(test: Test): string | undefined {
  let at: Test | Suite | undefined = test;
  while (at !== undefined) {
    const reason = reasons.get(at);
    if (reason !== undefined) return reason;
    at = at.parent;
  }
  return undefined;
}
