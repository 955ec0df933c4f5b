import Type from 'typebox';
import { MediaFacts } from '../../exchange/creative/media-facts.ts';

const Url = Type.String({ minLength: 1, maxLength: 2048 });

/** Times are the log's. Every answer is the state. */
export const assetMessages = {
  /** A fetch came to good content: `AssetContent` as JSON. VALIDATION_ERROR when there is more of it than a document takes. */
  store: Type.Object({
    url: Url,
    content: Type.String({ minLength: 1 }),
    facts: Type.Array(MediaFacts),
    /** How long the content counts as fresh. */
    freshForMs: Type.Integer({ minimum: 0 }),
  }),
  /** A fetch came to nothing: the last good content stays, and the next try comes later each time, at most `freshForMs`. */
  fail: Type.Object({ url: Url, reason: Type.String(), freshForMs: Type.Integer({ minimum: 0 }) }),
  /** One of those who refresh takes it for `forMs`. CONFLICT while another has it, and when it is not due. */
  claim: Type.Object({ forMs: Type.Integer({ minimum: 1 }) }),
  /**
   * Nothing names the URL any more: it is looked at again in `againInMs`, and is forgotten, with '' for its URL in the answer,
   * when it has been so for `forgetAfterMs`. CONFLICT when it is not due.
   */
  'set-aside': Type.Object({
    forgetAfterMs: Type.Integer({ minimum: 0 }),
    againInMs: Type.Integer({ minimum: 1 }),
  }),
};
