import { passBarrier } from '../runtime/node/log-barrier.ts';
import type { LogProvider } from '../runtime/ports/log-provider.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';

/** Two rounds of commits take two seconds under load; an idle exchange waits for nothing. */
const WITHIN_MS = 5_000;

/**
 * Waits a moment for all that the log holds to be in saved state. For a process that is ending and whose log nobody else reads on:
 * what is found in its data folder then is complete, and `npm run audit` looks at all of it. Nothing is lost where it is not: the
 * next start reads on.
 */
export async function drainLog({ log, leases }: LogProvider): Promise<void> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  await passBarrier({ log, leases, clock: systemClock, signal }).catch(() => {});
}
