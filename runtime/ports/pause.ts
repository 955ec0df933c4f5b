import type { Clock } from './clock.ts';

/** Resolves after `ms`, and at once when `signal` has been or is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
