import type { BackgroundWorker } from '../background-worker.ts';

/** Tells webhooks of what has happened, and tries again what was not acknowledged. The dispatcher is a gateway's, and handed in. */
export function deliverWebhooks({
  dispatch,
}: {
  dispatch: () => ReturnType<BackgroundWorker['start']>;
}): BackgroundWorker {
  return {
    name: 'deliver-webhooks',
    purpose: 'Delivers events to webhooks, with retries after 1, 2, 4, 8 and 16 s.',
    start: dispatch,
  };
}
