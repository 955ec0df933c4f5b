import { invitation } from '#actors/invitation/invitation';
import { name } from '#actors/name/name';
import { type NameClaim, nameId } from '#actors/name/reservation';
import { ApiError } from '#gateways/errors';
import { Rejected } from '#runtime/actor/errors';
import { withClaimedName } from '../../changes/claim-name.ts';
import type { ManagementDeps } from '../../deps.ts';
import { emailDigest } from '../../identity/passwords/log-in.ts';

interface InvitedEmail {
  readonly accountId: string;
  readonly email: string;
  /** The id of the invitation that is about to be created. */
  readonly id: string;
}

/**
 * Runs `invite` while no other request invites the email into the account; CONFLICT while another does. The claim is
 * released before this resolves, since the invitation is in the store by then, and nothing has to free the email when
 * it ends or expires. When the outcome of `invite` is unknown, the claim is kept until it lapses.
 */
export function withEmailClaimed<T>(
  deps: ManagementDeps,
  { accountId, email, id }: InvitedEmail,
  invite: (emailClaim: NameClaim) => Promise<T>,
): Promise<T> {
  const claimRequest = {
    // The digest, since the id of a name outlives its claim, and an invitation that has ended leaves no email behind.
    nameId: nameId(accountId, 'invitation', emailDigest(email)),
    holder: `${invitation.kind}/${id}`,
    // Another for each attempt at the same request, so that none releases what another still needs.
    claim: deps.random.id(),
    field: 'email',
  };
  return withClaimedName(deps, claimRequest, async (emailClaim) => {
    try {
      const invited = await invite(emailClaim);
      await release(deps, claimRequest.holder, emailClaim);
      return invited;
    } catch (error) {
      if (error instanceof ApiError || error instanceof Rejected) await release(deps, claimRequest.holder, emailClaim);
      throw error;
    }
  });
}

async function release(
  { messenger, logger }: Pick<ManagementDeps, 'messenger' | 'logger'>,
  holder: string,
  { nameId, claim }: NameClaim,
): Promise<void> {
  await messenger.ask(name, nameId, 'release', { holder, claim }).catch((err: unknown) => {
    logger.warn({ err, nameId }, 'the claim on an invited email could not be released and will expire');
  });
}
