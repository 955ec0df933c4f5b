import { passBarrier } from '../runtime/node/log-barrier.ts';
import type { LogProvider } from '../runtime/ports/log-provider.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';

/** The longest wait, ms. Two rounds of commits take two seconds under load; an idle exchange does not wait. */
const WITHIN_MS = 5_000;

/**
 * Waits up to 5 s until the saved states hold everything in the log. For a process that is ending and whose log no
 * other process reads: its data folder is complete then, and `npm run audit` covers all of it. Nothing is lost when the
 * wait ends early: the next start reads on.
 */
export async function drainLog({ log, leases }: LogProvider): Promise<void> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  await passBarrier({ log, leases, clock: systemClock, signal }).catch(() => {});
}
