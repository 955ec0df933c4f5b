import Type from 'typebox';
import { Scope } from '../account/scope.ts';
import { messageProperties } from '../field-table.ts';
import { NameClaim, nameHolderMessages } from '../name/reservation.ts';
import { ExpectedRevisions } from '../revision.ts';
import { sandboxGenerationMessages } from '../sandbox-generation.ts';
import { sourceKeyMessages } from '../source-key.ts';
import { publisherFields } from './fields.ts';

const fields = messageProperties(publisherFields);

export const publisherMessages = {
  ...nameHolderMessages,
  ...sourceKeyMessages,
  ...sandboxGenerationMessages,
  /** Answers the state. A publisher that exists under the same account stays as it is and answers its state. */
  create: Type.Object({ accountId: Type.String({ minLength: 1 }), ...fields, nameClaim: NameClaim }),
  /**
   * Changes only the given fields. `nameClaim` is needed when the name, or the environment in which it is unique,
   * changes (otherwise NAME_NOT_CLAIMED). CONFLICT when archived; PRECONDITION_FAILED for an unexpected revision.
   * Answers the state.
   */
  update: Type.Object({
    scope: Scope,
    changes: Type.Partial(Type.Object(fields)),
    nameClaim: Type.Optional(NameClaim),
    expecting: ExpectedRevisions,
  }),
  /** Archives the publisher for good and frees its name. Answers the state, also when it was archived before. */
  archive: Type.Object({ scope: Scope, expecting: ExpectedRevisions }),
  /**
   * Sets the exchange's margin, parts per million of gross; archived publishers have one too. PRECONDITION_FAILED for
   * an unexpected revision. Answers the state.
   */
  'set-fee': Type.Object({ feePpm: Type.Integer({ minimum: 0, maximum: 1_000_000 }), expecting: ExpectedRevisions }),
};
