import { ApiError } from '#gateways/errors';

/**
 * Asserts that a webhook is active.
 * @throws ApiError CONFLICT for a webhook to which no events are sent
 */
export function assertActive(status: string): void {
  if (status === 'active') return;
  throw new ApiError('CONFLICT', 'The webhook is disabled: nothing is sent to it until its status is active again.');
}
