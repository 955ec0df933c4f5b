import Type from 'typebox';
import { messageProperties } from '../field-table.ts';
import { ExpectedRevisions } from '../revision.ts';
import { accountFields } from './fields.ts';

const fields = messageProperties(accountFields);

export const accountMessages = {
  /**
   * Creates the account; an existing account stays as it is. Without `requestsPerMinute` it gets its tier's rate; only
   * an enterprise account may have a rate of its own (otherwise VALIDATION_ERROR). Answers the state.
   */
  open: Type.Object(fields),
  /**
   * Changes only the given fields; another tier without a rate brings that tier's rate. Refuses a rate as `open` does;
   * PRECONDITION_FAILED for an unexpected revision. Answers the state.
   */
  update: Type.Object({ ...Type.Partial(Type.Object(fields)).properties, expecting: ExpectedRevisions }),
};
