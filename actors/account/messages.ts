import Type from 'typebox';
import { ExpectedRevisions } from '../revision.ts';
import { LimitOverrides } from './limits.ts';
import { Tier } from './tier.ts';

/** The request rate of the management API, for all keys and sessions of the account together. */
const RequestsPerMinute = Type.Integer({ minimum: 1 });

export const accountMessages = {
  /**
   * Creates the account; an existing account stays as it is. Without `requestsPerMinute` it gets its tier's rate; only
   * an enterprise account may have a rate of its own (otherwise VALIDATION_ERROR). Answers the state.
   */
  open: Type.Object({
    name: Type.String({ minLength: 1 }),
    tier: Tier,
    requestsPerMinute: Type.Optional(RequestsPerMinute),
    limits: Type.Optional(LimitOverrides),
    sandboxLimits: Type.Optional(LimitOverrides),
  }),
  /**
   * Changes only the given fields; another tier without a rate brings that tier's rate. Refuses a rate as `open` does;
   * PRECONDITION_FAILED for an unexpected revision. Answers the state.
   */
  update: Type.Object({
    name: Type.Optional(Type.String({ minLength: 1 })),
    tier: Type.Optional(Tier),
    requestsPerMinute: Type.Optional(RequestsPerMinute),
    /** These limits replace the limits that were set before. */
    limits: Type.Optional(LimitOverrides),
    sandboxLimits: Type.Optional(LimitOverrides),
    expecting: ExpectedRevisions,
  }),
};
