import Type from 'typebox';

const OfUser = Type.Object({ userId: Type.String({ minLength: 1 }) });

/** The one list of operators for the whole exchange. */
export const operatorsId = 'all';
export const operatorsAddress = `operators/${operatorsId}`;

export const operatorsMessages = {
  /** Sent by a user who is an operator. */
  join: OfUser,
  /**
   * Sent before a user ceases to be an operator: the user leaves the list at once, so that of two who leave at the same
   * time one is refused. CONFLICT when no other operator would be left.
   */
  leave: OfUser,
  /** Sent by a user who is no operator any more. */
  left: OfUser,
};
