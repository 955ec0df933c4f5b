import Type from 'typebox';

const claimOfHolder = { holder: Type.String({ minLength: 1 }), claim: Type.String({ minLength: 1 }) };

export const nameMessages = {
  /**
   * Takes the name for `holder`, for `provisionalMs` at first; rejects with CONFLICT while another holds it. Answers
   * `ClaimedName`. The same holder may claim again, under the same claim (nothing changes) or another (both hold).
   */
  claim: Type.Object(claimOfHolder),
  /** Sent by the holder once it bears the name: the claim stands until it is released. */
  confirm: Type.Object(claimOfHolder),
  /** Ends one claim. Unknown claims are none. */
  release: Type.Object(claimOfHolder),
};
