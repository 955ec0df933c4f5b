import type { BackgroundWorker } from '../background-worker.ts';

/**
 * Sends events to webhooks, and retries deliveries that were not acknowledged. The dispatcher belongs to a gateway and
 * is passed in.
 */
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
