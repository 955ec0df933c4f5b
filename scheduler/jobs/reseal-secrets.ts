import type { Job } from '../job.ts';

/** Once an hour is often enough: until then, secrets are opened with an earlier master secret. */
export function resealSecrets({ reseal }: { reseal: (signal: AbortSignal) => Promise<string> }): Job {
  return {
    name: 'reseal-secrets',
    purpose:
      'Seals keys and secrets in the store under the present SECRET_KEY, so that an earlier one can be forgotten.',
    cron: '20 * * * *',
    missed: 'newest',
    run: ({ signal }) => reseal(signal),
  };
}
