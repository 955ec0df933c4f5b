import type { BackgroundWorker } from '../background-worker.ts';

/** Scans and hosts what bidders bring. The scanner belongs to a gateway and is passed in. */
export function scanCreatives({ scan }: { scan: () => ReturnType<BackgroundWorker['start']> }): BackgroundWorker {
  return {
    name: 'scan-creatives',
    purpose: 'Looks into creatives that were sold for the first time, or a day ago, and hosts those that are stable.',
    start: scan,
  };
}
