import Type from 'typebox';
import { NameClaim, nameHolderMessages } from '../name/reservation.ts';
import { Role, UserSource } from '../user/fields.ts';

/** The SHA-256 (hex) of the token in the link. The token itself is stored nowhere. */
const TokenHash = Type.String({ minLength: 1 });
/** The name of one acceptance among several at the same moment. */
const Claim = Type.String({ minLength: 1 });
/** ms since the epoch, by the gateways' clock. */
const AtMs = Type.Integer({ minimum: 0 });

export const invitationMessages = {
  /**
   * Answers the state. An invitation that exists under the same account stays as it is and answers its state. CONFLICT
   * when the claim on the email, under which the requester has looked for other invitations, is about to lapse.
   */
  create: Type.Object({
    accountId: Type.String({ minLength: 1 }),
    email: Type.String({ minLength: 1 }),
    name: Type.String(),
    role: Role,
    source: UserSource,
    tokenHash: TokenHash,
    invitedBy: Type.String({ minLength: 1 }),
    expiresAtMs: AtMs,
    emailClaim: Type.Optional(NameClaim),
  }),
  /**
   * Replaces the token, for any requester. NOT_FOUND once the invitation has ended, CONFLICT while it is being
   * accepted. Answers the state.
   */
  renew: Type.Object({
    tokenHash: TokenHash,
    invitedBy: Type.String({ minLength: 1 }),
    expiresAtMs: AtMs,
    atMs: AtMs,
  }),
  /**
   * Revokes the invitation for good. NOT_FOUND once it has ended, CONFLICT while it is being accepted. Answers null.
   */
  revoke: Type.Object({ atMs: AtMs }),
  /**
   * Reserves the invitation for one acceptance, for a minute: one of several at the same moment gets it. NOT_FOUND for
   * another token, for an expired one and once it has ended; CONFLICT while another acceptance has reserved it. Answers
   * the state.
   */
  take: Type.Object({ tokenHash: TokenHash, claim: Claim, atMs: AtMs }),
  /**
   * The user is made: the invitation ends, and forgets the invited person. CONFLICT where another acceptance has
   * reserved it since. Answers null.
   */
  accept: Type.Object({ claim: Claim }),
  /** No user was made: the invitation is open again. Answers nothing. */
  'let-go': Type.Object({ claim: Claim }),
  /**
   * An invitation has no name: the email is claimed only while it is created (`gateways/.../with-email-claimed.ts`).
   */
  ...nameHolderMessages,
};
