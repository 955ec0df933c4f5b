import Type, { type Static } from 'typebox';

export const Tier = Type.Enum(['standard', 'partner', 'enterprise']);
export type Tier = Static<typeof Tier>;

export const accountMessages = {
  /** Makes the account; an account that exists stays as it is. Answers the state. */
  open: Type.Object({
    name: Type.String({ minLength: 1 }),
    tier: Tier,
    /** Absent: what the tier gives. */
    requestsPerMinute: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  /** Only the fields given change; a new tier without a rate brings the tier's rate. Answers the state. */
  update: Type.Object({
    name: Type.Optional(Type.String({ minLength: 1 })),
    tier: Type.Optional(Tier),
    requestsPerMinute: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
};
