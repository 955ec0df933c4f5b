import Type from 'typebox';

const userId = Type.String({ minLength: 1 });
const OfUser = Type.Object({ userId });
/** A term of the user as an operator, counted from 0: see `operatorTerm` of a user. */
const Term = Type.Integer({ minimum: 0 });

/** The one list of operators for the whole exchange. */
export const operatorsId = 'all';
export const operatorsAddress = `operators/${operatorsId}`;

export const operatorsMessages = {
  /** Sent by a user who is an operator. */
  join: OfUser,
  /**
   * Sent before a user ceases to be an operator: announces that the user leaves in this `term`, so that of two who
   * leave at the same time one is refused. The list relies on that user no more, until it hears of the term. CONFLICT
   * when no other operator would be left.
   *
   * Answers null; or `asked`, the ids of the users who have been asked whether they stay, since all others are leaving:
   * nothing is announced then, and the sender tries again. Processes of release 0.4 state no term.
   */
  leave: Type.Object({ userId, term: Type.Optional(Term) }),
  /** Sent by a user who is an operator, and whom no leave of this term or an earlier one changes any more. */
  stay: Type.Object({ userId, term: Term }),
  /** Sent by a user who is no operator any more, and ceased to be one in this term or before. Release 0.4: no term. */
  left: Type.Object({ userId, term: Type.Optional(Term) }),
};
