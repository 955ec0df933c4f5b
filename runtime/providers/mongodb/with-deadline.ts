import { StoreUnavailable, Withdrawn } from '../../ports/errors.ts';

/**
 * Runs `work` and rejects with `StoreUnavailable` when it fails or has not ended within `timeoutMs`. Abandoned work
 * continues unobserved: its writes may still take effect.
 */
export async function withDeadline<T>(timeoutMs: number, what: string, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable(`${what}: no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work(), expiry]);
  } catch (error) {
    if (error instanceof Withdrawn) throw error;
    throw unavailable(what, error);
  } finally {
    clearTimeout(timer);
  }
}

export function unavailable(what: string, cause: unknown): StoreUnavailable {
  if (cause instanceof StoreUnavailable) return cause;
  return new StoreUnavailable(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}
