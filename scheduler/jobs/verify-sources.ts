import type { Job } from '../job.ts';

/** Each source about once a day, spread over the day. Looking is a gateway's work, and handed in: it resolves with how many. */
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
