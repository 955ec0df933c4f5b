import { Rejected } from '../../../runtime/actor/errors.ts';
import { ApiError } from '../../errors.ts';
import type { RequestIdentity } from '../identity/request-identity.ts';

/** One try at a change that may need a name. */
export interface Attempt {
  /** Names the claim, should one be needed. */
  readonly claim: string;
  /** For the ask: another one each time, since a refusal is an answer that is kept. */
  readonly requestId: string | undefined;
}

const most = 3;

/** Tries again when the actor says that the claim it got is not, or no longer, the one it needs (NAME_NOT_CLAIMED). */
export async function attempts<T>(identity: RequestIdentity, attempt: (attempt: Attempt) => Promise<T>): Promise<T> {
  for (let number = 1; number <= most; number++) {
    const step = `#${number}`;
    try {
      return await attempt({ claim: `${identity.claimId}${step}`, requestId: identity.askId(step) });
    } catch (error) {
      if (!(error instanceof Rejected && error.code === 'NAME_NOT_CLAIMED')) throw error;
    }
  }
  throw new ApiError('CONFLICT', 'Others are changing the same resource; ask again.');
}
