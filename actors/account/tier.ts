import Type, { type Static } from 'typebox';

/** What an account is entitled to: its rate of requests and its limits follow from it. */
export const Tier = Type.Enum(['standard', 'partner', 'enterprise']);
export type Tier = Static<typeof Tier>;
