import type { Job } from '../job.ts';

/**
 * Verifies each source about once a day, spread over the day. The check itself belongs to a gateway and is passed in;
 * it resolves with the number of checked sources.
 */
export function verifySources({
  verifyDue,
}: {
  verifyDue: (nowMs: number, stop: AbortSignal) => Promise<number>;
}): Job {
  return {
    name: 'verify-sources',
    purpose: 'Looks whether the ads.txt or app-ads.txt of each supply source names the exchange, once a day.',
    cron: '*/10 * * * *',
    missed: 'newest',
    async run({ nowMs, signal }) {
      return `sources looked at: ${await verifyDue(nowMs, signal)}`;
    },
  };
}
