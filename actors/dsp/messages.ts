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
   * Only the fields given change; becoming a delegate drops the endpoint. `nameClaim` is needed when the name, or the
   * environment it is unique in, becomes another (else NAME_NOT_CLAIMED). Archived: CONFLICT; not the expected revision:
   * PRECONDITION_FAILED. Answers the state.
   */
  update: Type.Object({
    scope: Scope,
    changes: Type.Partial(Type.Object(fields)),
    nameClaim: Type.Optional(NameClaim),
    expecting: ExpectedRevisions,
  }),
  /** For good; frees the name. Answers the state, again when archived before. */
  archive: Type.Object({ scope: Scope, expecting: ExpectedRevisions }),
  /**
   * The exchange's fee on top of spend, parts per million; archived DSPs have one too. Not the expected revision:
   * PRECONDITION_FAILED. Answers the state.
   */
  'set-fee': Type.Object({ feePpm: Type.Integer({ minimum: 0, maximum: 1_000_000 }), expecting: ExpectedRevisions }),
  /** Closes its circuit breaker at every edge; archived: CONFLICT. Answers the state. */
  'reset-breaker': Type.Object({ scope: Scope }),
  /** To a pool's traffic. Answers `Subscription`; a second one changes nothing. Archived: CONFLICT. */
  subscribe: Type.Object({ scope: Scope, poolId: Type.String({ minLength: 1 }) }),
  /** Answers `Subscription`; without a subscription it changes nothing. Archived: CONFLICT. */
  unsubscribe: Type.Object({ scope: Scope, poolId: Type.String({ minLength: 1 }) }),
};
