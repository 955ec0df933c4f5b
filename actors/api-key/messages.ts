import Type from 'typebox';

/** ms since the epoch. */
const AtMs = Type.Integer({ minimum: 0 });
const AccountId = Type.String();

export const apiKeyMessages = {
  /** Registers the key whose hash is this actor's id; a key that was registered before stays as it is. */
  create: Type.Object({
    accountId: Type.String({ minLength: 1 }),
    environment: Type.Enum(['live', 'sandbox']),
    name: Type.String(),
    /** The first characters of the key, by which its owner recognises it. */
    hint: Type.String(),
    /** Absent: it does not expire. */
    expiresAtMs: Type.Optional(AtMs),
  }),
  /** For good. Answers the same when asked again. */
  revoke: Type.Object({ accountId: AccountId }),
  /** Another key takes its place: it ends at that time, or earlier if it was to end earlier. Answers the state. */
  retire: Type.Object({ accountId: AccountId, atMs: AtMs }),
  /** It was used, at that time by a gateway's clock. Answers nothing. */
  used: Type.Object({ atMs: AtMs }),
};
