import Type from 'typebox';
import { Scope } from '../account/scope.ts';
import { messageProperties } from '../field-table.ts';
import { NameClaim, nameHolderMessages } from '../name/reservation.ts';
import { ExpectedRevisions } from '../revision.ts';
import { sandboxGenerationMessages } from '../sandbox-generation.ts';
import { sourceKeyMessages } from '../source-key.ts';
import { dspFields } from './fields.ts';

const fields = messageProperties(dspFields);

export const dspMessages = {
  ...nameHolderMessages,
  ...sourceKeyMessages,
  ...sandboxGenerationMessages,
  /** Answers the state. A DSP that exists under the same account stays as it is and answers its state. */
  create: Type.Object({ accountId: Type.String({ minLength: 1 }), ...fields, nameClaim: NameClaim }),
  /**
   * Changes only the given fields; becoming a delegate drops the endpoint. `nameClaim` is needed when the name, or the
   * environment in which it is unique, changes (otherwise NAME_NOT_CLAIMED). CONFLICT when archived;
   * PRECONDITION_FAILED for an unexpected revision. Answers the state.
   */
  update: Type.Object({
    scope: Scope,
    changes: Type.Partial(Type.Object(fields)),
    nameClaim: Type.Optional(NameClaim),
    expecting: ExpectedRevisions,
  }),
  /** Archives the DSP for good and frees its name. Answers the state, also when it was archived before. */
  archive: Type.Object({ scope: Scope, expecting: ExpectedRevisions }),
  /**
   * Sets the exchange's fee on top of spend, parts per million; archived DSPs have one too. PRECONDITION_FAILED for an
   * unexpected revision. Answers the state.
   */
  'set-fee': Type.Object({ feePpm: Type.Integer({ minimum: 0, maximum: 1_000_000 }), expecting: ExpectedRevisions }),
  /** Closes its circuit breaker at every edge; CONFLICT when archived. Answers the state. */
  'reset-breaker': Type.Object({ scope: Scope }),
  /**
   * Subscribes to a pool's traffic. Answers `Subscription`; a second subscription changes nothing. CONFLICT when
   * archived.
   */
  subscribe: Type.Object({ scope: Scope, poolId: Type.String({ minLength: 1 }) }),
  /** Answers `Subscription`; without a subscription it changes nothing. CONFLICT when archived. */
  unsubscribe: Type.Object({ scope: Scope, poolId: Type.String({ minLength: 1 }) }),
};
