import Type from 'typebox';

const OfUser = Type.Object({ userId: Type.String({ minLength: 1 }) });

/** There is one roll for the whole exchange. */
export const operatorsId = 'all';
export const operatorsAddress = `operators/${operatorsId}`;

export const operatorsMessages = {
  /** Sent by a user who is an operator. */
  join: OfUser,
  /**
   * Asked before a user ceases to be an operator: the user leaves the roll at once, so that of two who go at the same time
   * one is refused. CONFLICT when nobody else would be left.
   */
  leave: OfUser,
  /** Sent by a user who is no operator any more. */
  left: OfUser,
};
