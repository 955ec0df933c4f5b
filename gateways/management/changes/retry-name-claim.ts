import { Rejected } from '#runtime/actor/errors';
import { ApiError } from '../../errors.ts';
import type { RequestIds } from '../identity/request-ids.ts';

/** One attempt at a change that may need a name. */
export interface ClaimAttempt {
  /** The id of the claim, should the change need one. */
  readonly claim: string;
  /** The request id of the ask. Each attempt has another, since the actor stores a refusal as the answer to its id. */
  readonly requestId: string | undefined;
}

const maxAttempts = 3;

/**
 * Repeats the attempt when the actor answers that the claim is not, or no longer, the one that it needs
 * (NAME_NOT_CLAIMED).
 */
export async function retryNameClaim<T>(
  identity: RequestIds,
  attempt: (attempt: ClaimAttempt) => Promise<T>,
): Promise<T> {
  for (let number = 1; number <= maxAttempts; number++) {
    const step = `#${number}`;
    try {
      return await attempt({ claim: `${identity.claimId}${step}`, requestId: identity.askId(step) });
    } catch (error) {
      if (!(error instanceof Rejected && error.code === 'NAME_NOT_CLAIMED')) throw error;
    }
  }
  throw new ApiError('CONFLICT', 'Others are changing the same resource; ask again.');
}
