import Type from 'typebox';

/** A claim of `holder`, the address of the actor that will have the name. */
const claimOfHolder = { holder: Type.String({ minLength: 1 }), claim: Type.String({ minLength: 1 }) };

export const nameMessages = {
  /**
   * Reserves the name for `holder`, provisionally. Answers `NameClaimReply`; rejects with CONFLICT while another actor
   * holds it. The same holder may claim again, under the same claim or another: all its claims hold.
   */
  claim: Type.Object(claimOfHolder),
  /** Confirms the reservation; the holder sends it once it has the name. The claim stands until it is released. */
  confirm: Type.Object(claimOfHolder),
  /** Releases one claim. With `heldUntilMs`, only a claim that is held until then: one that was renewed since stays. */
  release: Type.Object({ ...claimOfHolder, heldUntilMs: Type.Optional(Type.Integer()) }),
};
