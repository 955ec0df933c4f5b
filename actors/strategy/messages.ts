import Type from 'typebox';
import { Strategy } from '../../exchange/strategy/document/strategy.ts';
import { ExpectedRevisions } from '../revision.ts';

export const strategyMessages = {
  /**
   * Saves a document that is valid for this demand source. New and changed campaigns are installed, campaigns that it
   * does not contain any more are retired. Answers `SavedStrategy`; the same document again changes nothing. CONFLICT
   * when closed.
   */
  save: Type.Object({ accountId: Type.String({ minLength: 1 }), strategy: Strategy, expecting: ExpectedRevisions }),
  /**
   * Puts the document of before back, null for none, where `revision` is still that of the last save: one of its
   * campaigns was created through the Campaign API at the same moment. A later save stands. Answers nothing.
   */
  revert: Type.Object({ revision: Type.Integer({ minimum: 1 }), before: Type.Union([Strategy, Type.Null()]) }),
  /**
   * The demand source is archived for good: its campaigns bid no more, and no document is saved any more, also where
   * none was. The last one stays readable. Answers nothing.
   */
  close: Type.Object({}),
};
