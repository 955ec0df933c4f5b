import Type from 'typebox';
import { ExpectedRevisions } from '../revision.ts';
import { LimitOverrides } from './limits.ts';
import { Tier } from './tier.ts';

/** Of the management API, for all keys and sessions of the account together. */
const RequestsPerMinute = Type.Integer({ minimum: 1 });

export const accountMessages = {
  /**
   * Makes the account; an account that exists stays as it is. Without `requestsPerMinute` it has its tier's rate; only an
   * enterprise account has one of its own (else VALIDATION_ERROR). Answers the state.
   */
  open: Type.Object({
    name: Type.String({ minLength: 1 }),
    tier: Tier,
    requestsPerMinute: Type.Optional(RequestsPerMinute),
    limits: Type.Optional(LimitOverrides),
    sandboxLimits: Type.Optional(LimitOverrides),
  }),
  /**
   * Only the fields given change; another tier without a rate brings that tier's rate. Refuses a rate as `open` does;
   * not the expected revision: PRECONDITION_FAILED. Answers the state.
   */
  update: Type.Object({
    name: Type.Optional(Type.String({ minLength: 1 })),
    tier: Type.Optional(Tier),
    requestsPerMinute: Type.Optional(RequestsPerMinute),
    /** In the place of those that were set before. */
    limits: Type.Optional(LimitOverrides),
    sandboxLimits: Type.Optional(LimitOverrides),
    expecting: ExpectedRevisions,
  }),
};
