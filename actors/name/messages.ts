import Type from 'typebox';

/** A claim of `holder`, the address of the actor that is to bear the name. */
const claimOfHolder = { holder: Type.String({ minLength: 1 }), claim: Type.String({ minLength: 1 }) };

export const nameMessages = {
  /**
   * Takes the name for `holder`, provisionally. Answers `NameClaimReply`; rejects with CONFLICT while another holds it. The
   * same holder may claim again, under the same claim or another: all its claims hold.
   */
  claim: Type.Object(claimOfHolder),
  /** Sent by the holder once it bears the name: the claim stands until it is released. */
  confirm: Type.Object(claimOfHolder),
  /** Ends one claim. With `heldUntilMs`, only while the claim is held until then: one that was renewed since stays. */
  release: Type.Object({ ...claimOfHolder, heldUntilMs: Type.Optional(Type.Integer()) }),
};
