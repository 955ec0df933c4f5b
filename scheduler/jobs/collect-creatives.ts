import type { Job } from '../job.ts';

/** The result of a collection. */
interface Collected {
  readonly files: number;
  readonly bytes: number;
  readonly filesLeft: number;
  readonly bytesLeft: number;
}

/** `collect` deletes the files that nothing refers to; it rejects when `signal` aborts, and the next run goes on. */
export function collectCreatives(collect: (signal: AbortSignal) => Promise<Collected>): Job {
  return {
    name: 'collect-creatives',
    purpose: 'Deletes files that no creative has been made of for days, and measures those that are left.',
    cron: '41 * * * *',
    missed: 'newest',
    async run({ signal }) {
      const { files, bytes, filesLeft, bytesLeft } = await collect(signal);
      return `${files} files of ${mib(bytes)} MiB deleted; ${filesLeft} of ${mib(bytesLeft)} MiB left`;
    },
  };
}

function mib(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(1);
}
