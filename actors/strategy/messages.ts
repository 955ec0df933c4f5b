import Type from 'typebox';
import { Strategy } from '../../exchange/strategy/document/strategy.ts';
import { ExpectedRevisions } from '../revision.ts';

export const strategyMessages = {
  /**
   * A document that is valid for this demand source. Its campaigns that are new or other than before are installed, those
   * it has no more are retired. Answers `SavedStrategy`; the same document again changes nothing.
   */
  save: Type.Object({ accountId: Type.String({ minLength: 1 }), strategy: Strategy, expecting: ExpectedRevisions }),
};
