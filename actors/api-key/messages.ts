import Type from 'typebox';

/** ms since the epoch. */
const AtMs = Type.Integer({ minimum: 0 });
const AccountId = Type.String();
/** The id in the API of the key that takes the place of this one. */
const Successor = Type.String({ minLength: 1 });

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
  /**
   * Reserves the rotation of the key for one successor, for a minute, before that is made: one of several at the same
   * moment gets it. CONFLICT once the key has ended or was rotated, and while it is reserved for another successor. The
   * successor that has taken its place is answered as before. Answers the state.
   */
  'begin-rotation': Type.Object({ accountId: AccountId, successor: Successor, atMs: AtMs }),
  /**
   * Revokes the key for good. Answers the same when asked again. With `successor`, that takes its place: CONFLICT when
   * the rotation is no longer reserved for it.
   */
  revoke: Type.Object({ accountId: AccountId, successor: Type.Optional(Successor) }),
  /**
   * Retires the key because another takes its place: it ends at that time, or earlier if it was to end earlier. With
   * `successor`, CONFLICT as `revoke`. Answers the state.
   */
  retire: Type.Object({ accountId: AccountId, atMs: AtMs, successor: Type.Optional(Successor) }),
  /** Notes a use of the key, at that time by a gateway's clock. Answers nothing. */
  used: Type.Object({ atMs: AtMs }),
};
