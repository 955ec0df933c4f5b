import { Rejected } from '../../../runtime/actor/errors.ts';
import { ApiError } from '../../errors.ts';
import type { RequestIds } from '../identity/request-ids.ts';

/** One try at a change that may need a name. */
export interface ClaimAttempt {
  /** Names the claim, should one be needed. */
  readonly claim: string;
  /** For the ask: another one each time, since a refusal is an answer that is kept. */
  readonly requestId: string | undefined;
}

const maxAttempts = 3;

/** Tries again when the actor says that the claim it got is not, or no longer, the one it needs (NAME_NOT_CLAIMED). */
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
