import { ApiError } from '../../../../errors.ts';

/** @throws ApiError CONFLICT for a webhook that nothing is sent to */
export function assertActive(status: string): void {
  if (status === 'active') return;
  throw new ApiError('CONFLICT', 'The webhook is disabled: nothing is sent to it until its status is active again.');
}
