import type { Job } from '../job.ts';

/** What fetching again came to. */
interface Refreshed {
  readonly refreshed: number;
  /** Their last good content stays. */
  readonly failed: number;
  /** Of no campaign any more. */
  readonly setAside: number;
  /** Of an older release, whose creatives were fetched for the first time. */
  readonly campaigns: number;
}

/** `refresh` fetches all that is due at `nowMs`; rejects, with what was under way given up, when `signal` aborts. */
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
