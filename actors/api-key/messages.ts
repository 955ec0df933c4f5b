import Type from 'typebox';

export const apiKeyMessages = {
  /** Registers the key whose hash is this actor's id; a key that was registered before stays as it is. */
  create: Type.Object({
    accountId: Type.String({ minLength: 1 }),
    environment: Type.Enum(['live', 'sandbox']),
    name: Type.String(),
    /** The first characters of the key, by which its owner recognises it. */
    hint: Type.String(),
  }),
  /** For good. Answers the same when asked again. */
  revoke: Type.Object({ accountId: Type.String() }),
};
