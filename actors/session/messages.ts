import Type from 'typebox';

/** All times are the gateway's, ms since the epoch: the same clock decides whether a session has ended. */
const AtMs = Type.Integer({ minimum: 0 });

export const sessionMessages = {
  /** Opens the session whose token hashes to this actor's id. */
  open: Type.Object({ userId: Type.String({ minLength: 1 }), epoch: Type.Integer({ minimum: 0 }), atMs: AtMs }),
  /** Notes a use of the session. Answers nothing; a session that has ended stays so. */
  touch: Type.Object({ atMs: AtMs }),
  /** Ends the session for good. */
  end: Type.Object({}),
  /** Ends the session for its user or an operator; does nothing for another user's session. Answers nothing. */
  revoke: Type.Object({ userId: Type.String({ minLength: 1 }) }),
  /** Ends the session if it was not used after `unusedSinceMs`: a use that arrives first keeps it. */
  expire: Type.Object({ unusedSinceMs: AtMs }),
};
