import Type from 'typebox';
import { Role, UserSource } from '../user/messages.ts';

/** SHA-256 (hex) of the token in the link. The token itself is kept nowhere. */
const TokenHash = Type.String({ minLength: 1 });
/** Names one acceptance among several that come at the same moment. */
const Claim = Type.String({ minLength: 1 });
/** ms since the epoch, by the gateways' clock. */
const AtMs = Type.Integer({ minimum: 0 });

export const invitationMessages = {
  /** Answers the state. An invitation that exists under the same account stays as it is and answers its state. */
  create: Type.Object({
    accountId: Type.String({ minLength: 1 }),
    email: Type.String({ minLength: 1 }),
    name: Type.String(),
    role: Role,
    source: UserSource,
    tokenHash: TokenHash,
    invitedBy: Type.String({ minLength: 1 }),
    expiresAtMs: AtMs,
  }),
  /**
   * A new token in the place of the one before, from whoever asks. NOT_FOUND once it has ended, CONFLICT while it is being accepted.
   * Answers the state.
   */
  renew: Type.Object({
    tokenHash: TokenHash,
    invitedBy: Type.String({ minLength: 1 }),
    expiresAtMs: AtMs,
    atMs: AtMs,
  }),
  /** For good. NOT_FOUND once it has ended, CONFLICT while it is being accepted. Answers null. */
  revoke: Type.Object({ atMs: AtMs }),
  /**
   * Takes it for one acceptance, for a minute: of several at the same moment one has it. NOT_FOUND for another token, for one that has
   * expired and once it has ended, CONFLICT while another has taken it. Answers the state.
   */
  take: Type.Object({ tokenHash: TokenHash, claim: Claim, atMs: AtMs }),
  /** The user is made: it has ended, and forgets who was invited. CONFLICT where another has taken it since. Answers null. */
  accept: Type.Object({ claim: Claim }),
  /** No user was made: it is open again. Answers nothing. */
  'let-go': Type.Object({ claim: Claim }),
};
