import Type from 'typebox';

/** ms since the epoch. */
const AtMs = Type.Integer({ minimum: 0 });
const AccountId = Type.String();

export const apiKeyMessages = {
  /** Registers the key whose hash is this actor's id; a key that is registered already stays as it is. */
  create: Type.Object({
    accountId: Type.String({ minLength: 1 }),
    environment: Type.Enum(['live', 'sandbox']),
    name: Type.String(),
    /** The first characters of the key, by which its owner recognises it. */
    hint: Type.String(),
    /** The end of the key; absent: it does not expire. */
    expiresAtMs: Type.Optional(AtMs),
  }),
  /** Revokes the key for good. Answers the same when asked again. */
  revoke: Type.Object({ accountId: AccountId }),
  /**
   * Retires the key because another takes its place: it ends at that time, or earlier if it was to end earlier. Answers
   * the state.
   */
  retire: Type.Object({ accountId: AccountId, atMs: AtMs }),
  /** Notes a use of the key, at that time by a gateway's clock. Answers nothing. */
  used: Type.Object({ atMs: AtMs }),
};
