import { FetchFailed } from '../fetch/failures.ts';
import { type RefreshDeps, type RefreshResult, refreshDueAssets } from './refresh-due-assets.ts';

/**
 * Runs `refreshDueAssets` until nothing is due, and answers the sums of all rounds.
 * @throws when `signal` aborts; the fetches under way are given up and their assets are due again
 */
export async function refreshAllDue(
  deps: Omit<RefreshDeps, 'stop'>,
  nowMs: number,
  signal: AbortSignal,
): Promise<Omit<RefreshResult, 'more'>> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new FetchFailed('was given up'));
  signal.throwIfAborted();
  signal.addEventListener('abort', stop);
  const sums = { refreshed: 0, failed: 0, setAside: 0, campaigns: 0 };
  try {
    for (let goesOn = true; goesOn; ) {
      const { more, ...counts } = await refreshDueAssets({ ...deps, stop: stopping.signal }, nowMs);
      signal.throwIfAborted();
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += counts[name];
      goesOn = more;
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return sums;
}
