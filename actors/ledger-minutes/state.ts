import Type, { type Static } from 'typebox';

/** The minutes of one ledger of an hour that have left it. */
export const LedgerMinutesState = Type.Object({
  /** See `minutesAgeKey` of ledger/ledger-id.ts. */
  filedUnder: Type.String(),
  /** The numbers of the batches that were received. */
  received: Type.Array(Type.Integer({ minimum: 1 })),
  /** The names that the pages refer to by number, as one text; see ledger/names-text.ts. */
  names: Type.String(),
  /** The packed pages by their index in the day. */
  minutes: Type.Record(Type.String(), Type.String()),
});

export type LedgerMinutesState = Static<typeof LedgerMinutesState>;
