import { name } from '#actors/name/name';
import type { NameClaim } from '#actors/name/reservation';
import { pause, systemTimer } from '#async/pause';
import { Rejected } from '#runtime/actor/errors';
import type { Logger } from '#runtime/actor/logger';
import type { Messenger } from '#runtime/actor/messenger';
import { ApiError } from '../../errors.ts';

export interface NameClaimDeps {
  readonly messenger: Messenger;
  readonly logger: Logger;
}

export interface NameClaimRequest {
  readonly nameId: string;
  /** The address of the actor that will own the name. */
  readonly holder: string;
  readonly claim: string;
  /** The field in which the caller wrote the name; `name` when absent. */
  readonly field?: string;
}

/**
 * The delay between attempts in ms: the present holder is asked whether it still owns the name and answers within a
 * moment.
 */
const retryAfterMs = 50;
const maxAttempts = 20;

/**
 * Claims a name and passes the claim to `take`, which asks the future owner to take the name. CONFLICT when another
 * holds the name. When the owner refuses, the claim is released; when this process dies first, the claim lapses.
 */
export async function withClaimedName<T>(
  deps: NameClaimDeps,
  claimRequest: NameClaimRequest,
  take: (claim: NameClaim) => Promise<T>,
): Promise<T> {
  const { messenger, logger } = deps;
  const { nameId, holder, claim } = claimRequest;
  const heldUntilMs = await claimName(messenger, claimRequest);
  try {
    return await take({ nameId, claim, heldUntilMs });
  } catch (error) {
    // A claim that was confirmed before belongs to its owner; only an unconfirmed claim is released.
    if (error instanceof Rejected && heldUntilMs !== null) {
      messenger.tell(name, nameId, 'release', { holder, claim, heldUntilMs }).catch((failure: unknown) => {
        logger.warn({ err: failure, nameId }, 'a refused name claim could not be released and will expire');
      });
    }
    throw error;
  }
}

/**
 * Claims the name. Resolves with the instant until which the claim is held; null when the claim was confirmed before.
 */
async function claimName(
  messenger: Messenger,
  { nameId, holder, claim, field = 'name' }: NameClaimRequest,
): Promise<number | null> {
  try {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const body = { holder, claim };
      const claimed = await messenger.ask(name, nameId, 'claim', body);
      if (!('asked' in claimed)) return claimed.heldUntilMs;
      await pause(systemTimer, retryAfterMs);
    }
  } catch (error) {
    if (!(error instanceof Rejected && error.code === 'CONFLICT')) throw error;
  }
  throw new ApiError('CONFLICT', `The ${field} is taken.`);
}
