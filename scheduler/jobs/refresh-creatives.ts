import type { Job } from '../job.ts';

/** The result of a refresh. */
interface Refreshed {
  readonly refreshed: number;
  /** The number of assets that could not be fetched; their last good content stays. */
  readonly failed: number;
  /** The number of assets that no campaign names any more. */
  readonly setAside: number;
  /** The number of campaigns of an older release whose creatives were fetched for the first time. */
  readonly campaigns: number;
}

/**
 * `refresh` fetches all assets that are due at `nowMs`; when `signal` aborts it gives up the fetches under way and
 * rejects.
 */
export function refreshCreatives(refresh: (nowMs: number, signal: AbortSignal) => Promise<Refreshed>): Job {
  return {
    name: 'refresh-creatives',
    purpose: 'Fetches again what creatives are made of once that has grown old, and what campaigns still wait for.',
    cron: '*/5 * * * *',
    missed: 'newest',
    async run({ nowMs, signal }) {
      const { refreshed, failed, setAside, campaigns } = await refresh(nowMs, signal);
      const waited = campaigns > 0 ? `; ${campaigns} campaigns of an older release can bid now` : '';
      return `${refreshed} fetched again, ${failed} could not be, ${setAside} set aside${waited}`;
    },
  };
}
