import Type from 'typebox';

/** Times are the gateway's, ms since the epoch: the same clock judges whether a session has ended. */
const AtMs = Type.Integer({ minimum: 0 });

export const sessionMessages = {
  /** Opens the session whose token hashes to this actor's id. */
  open: Type.Object({ userId: Type.String({ minLength: 1 }), epoch: Type.Integer({ minimum: 0 }), atMs: AtMs }),
  /** It was used. Answers nothing; a session that has ended stays so. */
  touch: Type.Object({ atMs: AtMs }),
  /** For good. */
  end: Type.Object({}),
  /** Its user ends it, or an operator: nothing where it is another's. Answers nothing. */
  revoke: Type.Object({ userId: Type.String({ minLength: 1 }) }),
  /** Ends it if it was not used after `unusedSinceMs`: a use that arrives first saves it. */
  expire: Type.Object({ unusedSinceMs: AtMs }),
};
