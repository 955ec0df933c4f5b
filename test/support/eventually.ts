/**
 * Repeats `attempt` until it answers a truthy value, and resolves with that. Rejects after `timeoutMs` with an error
 * that names `what` was awaited and carries the last error.
 */
export async function eventually<T>(
  what: string,
  attempt: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs = 10 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const answer = await attempt();
      if (answer) return answer;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadline) {
      throw new Error(`waited ${timeoutMs} ms in vain for ${what}`, { cause: lastError });
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
