import Type from 'typebox';
import { MediaFacts } from '../../exchange/creative/media-facts.ts';

const Url = Type.String({ minLength: 1, maxLength: 2048 });

/** All times are the log's. Every message answers the state. */
export const assetMessages = {
  /**
   * Stores the content of a successful fetch: `AssetContent` as JSON. VALIDATION_ERROR when the content is larger than
   * a document can hold.
   */
  store: Type.Object({
    url: Url,
    content: Type.String({ minLength: 1 }),
    facts: Type.Array(MediaFacts),
    /** How long the content counts as fresh, ms. */
    freshForMs: Type.Integer({ minimum: 0 }),
  }),
  /**
   * Notes a failed fetch: the last good content stays, and each further try comes later than the one before, after at
   * most `freshForMs`.
   */
  fail: Type.Object({ url: Url, reason: Type.String(), freshForMs: Type.Integer({ minimum: 0 }) }),
  /**
   * Claims the asset for one refreshing process for `forMs`. CONFLICT while another process has claimed it, and when it
   * is not due.
   */
  claim: Type.Object({ forMs: Type.Integer({ minimum: 1 }) }),
  /**
   * Sets the asset aside when no campaign names the URL any more: it is checked again in `againInMs`, and it is
   * forgotten, with '' for its URL in the answer, once it has been unused for `forgetAfterMs`. CONFLICT when it is not
   * due.
   */
  'set-aside': Type.Object({
    forgetAfterMs: Type.Integer({ minimum: 0 }),
    againInMs: Type.Integer({ minimum: 1 }),
  }),
};
