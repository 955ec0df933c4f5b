import Type, { type Static } from 'typebox';

/** The tier of an account, which sets its rate of requests and its limits. */
export const Tier = Type.Enum(['standard', 'partner', 'enterprise']);
export type Tier = Static<typeof Tier>;
