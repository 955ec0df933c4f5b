import type { Claim } from '../../../actors/name/bearing.ts';
import { name } from '../../../actors/name/name.ts';
import type { ClaimedName } from '../../../actors/name/reduce.ts';
import { Rejected } from '../../../runtime/actor/errors.ts';
import type { Messenger } from '../../../runtime/actor/messenger.ts';
import type { Logger } from '../parts.ts';

export interface ClaimingParts {
  readonly messenger: Messenger;
  readonly logger: Logger;
}

export interface Claiming {
  readonly nameId: string;
  /** The actor that is to bear the name. */
  readonly holder: string;
  readonly claim: string;
}

/**
 * Claims a name and hands the claim to `take`, which asks the bearer to take it. CONFLICT when another holds the name.
 * When the bearer refuses, the claim is given back; when this process dies first, it lapses.
 */
export async function withClaimedName<T>(
  parts: ClaimingParts,
  { nameId, holder, claim }: Claiming,
  take: (claim: Claim) => Promise<T>,
): Promise<T> {
  const { messenger, logger } = parts;
  const claimed = await messenger.ask<typeof name.messages, 'claim', ClaimedName>(name, nameId, 'claim', {
    holder,
    claim,
  });
  try {
    return await take({ nameId, claim, heldUntilMs: claimed.heldUntilMs });
  } catch (error) {
    // A claim that was confirmed before is borne; only one that nobody bears is given back.
    if (error instanceof Rejected && claimed.heldUntilMs !== null) {
      messenger.tell(name, nameId, 'release', { holder, claim }).catch((failure: unknown) => {
        logger.warn({ err: failure, nameId }, 'a refused claim was not given back and will lapse by itself');
      });
    }
    throw error;
  }
}
