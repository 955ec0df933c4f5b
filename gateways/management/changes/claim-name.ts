import { name } from '../../../actors/name/name.ts';
import type { NameClaim } from '../../../actors/name/reservation.ts';
import { pause, systemTimer } from '../../../async/pause.ts';
import { Rejected } from '../../../runtime/actor/errors.ts';
import type { Logger } from '../../../runtime/actor/logger.ts';
import type { Messenger } from '../../../runtime/actor/messenger.ts';
import { ApiError } from '../../errors.ts';

export interface NameClaimDeps {
  readonly messenger: Messenger;
  readonly logger: Logger;
}

export interface NameClaimRequest {
  readonly nameId: string;
  /** The address of the actor that is to bear the name. */
  readonly holder: string;
  readonly claim: string;
  /** What the caller wrote the name into; `name` when absent. */
  readonly field?: string;
}

/** A holder that is asked whether it bears the name answers within a moment. */
const retryAfterMs = 50;
const maxAttempts = 20;

/**
 * Claims a name and hands the claim to `take`, which asks the bearer to take it. CONFLICT when another holds the name.
 * When the bearer refuses, the claim is given back; when this process dies first, it lapses.
 */
export async function withClaimedName<T>(
  parts: NameClaimDeps,
  claiming: NameClaimRequest,
  take: (claim: NameClaim) => Promise<T>,
): Promise<T> {
  const { messenger, logger } = parts;
  const { nameId, holder, claim } = claiming;
  const heldUntilMs = await claimName(messenger, claiming);
  try {
    return await take({ nameId, claim, heldUntilMs });
  } catch (error) {
    // A claim that was confirmed before is borne; only one that nobody bears is given back.
    if (error instanceof Rejected && heldUntilMs !== null) {
      messenger.tell(name, nameId, 'release', { holder, claim, heldUntilMs }).catch((failure: unknown) => {
        logger.warn({ err: failure, nameId }, 'a refused claim was not given back and will lapse by itself');
      });
    }
    throw error;
  }
}

/** Until when the claim is held; null when it was confirmed before. */
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
