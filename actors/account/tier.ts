import Type, { type Static } from 'typebox';

/** The tier of an account, which sets its rate of requests and its limits. */
export const Tier = Type.Enum(['standard', 'partner', 'enterprise']);
export type Tier = Static<typeof Tier>;

/**
 * The management API's requests per minute (specification, "Limits"). An enterprise account has a rate of its own;
 * until one is set it has the partner rate.
 */
export const requestsPerMinuteOf: Readonly<Record<Tier, number>> = { standard: 1000, partner: 5000, enterprise: 5000 };
