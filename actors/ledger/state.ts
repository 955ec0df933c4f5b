import Type, { type Static } from 'typebox';
import { MinuteBatch, Totals } from './messages.ts';
import { LedgerPage } from './page-schema.ts';

const Count = Type.Integer({ minimum: 0 });
const Pages = Type.Record(Type.String(), LedgerPage);

/** What a partition has told last of a minute, packed. */
const ToldMinute = Type.Object({
  ...Type.Pick(Totals, ['minuteMs', 'version', 'slots']).properties,
  packed: Type.String(),
});

/**
 * The state of one ledger. That of an hour books, and has pages of its hour and of its newest minutes; older minutes go
 * to documents of their own (actors/ledger-minutes/). That of a day receives hours that are over; one that an earlier
 * release has begun books too, and has minutes. Stored as stored-ledger.ts packs it.
 */
export const LedgerState = Type.Object({
  /** See ledger-id.ts; '' in a state of an older release. */
  filedUnder: Type.String(),
  /** The names that packed pages refer to by number; see packed-page.ts. */
  names: Type.Array(Type.String()),
  /** True when the day is too large for a page: its figures are those of its hours. */
  daysOverflown: Type.Boolean(),
  /** The pages by their index in the day, at each grain; see grain.ts. */
  days: Pages,
  hours: Pages,
  /** The newest two minutes as pages, older ones packed. */
  minutes: Type.Record(Type.String(), Type.Union([LedgerPage, Type.String()])),
  /**
   * The newest minute of each impression partition, as last reported, packed. All pages above include it. A closed
   * ledger keeps the versions alone.
   */
  open: Type.Record(Type.String(), ToldMinute),
  /**
   * The sums of this day's impressions, by the start of the budget window in which they were sold, ms since the epoch.
   */
  slots: Type.Record(Type.String(), Type.Object({ impressions: Count, grossNanos: Count })),
  /**
   * The sales that edges report for the time without a limit, rendered or not, whole nano-dollars by budget window of
   * the sale: at least the true sum, unless an edge has died within a second of a sale. No invoice uses it; a later
   * limit does.
   */
  unleased: Type.Record(Type.String(), Count),
  /** The ledger of a day: the hours that it has received, a bit each; absent: none. */
  filed: Type.Optional(Count),
  /** The ledger of an hour: minutes before this one, by their index in the day, have left; absent: none. */
  leftThrough: Type.Optional(Count),
  /** The number of batches in which minutes have left; absent: none. */
  batches: Type.Optional(Count),
  /** The batches that are not known to have been received, with the position of the message after which they left. */
  leaving: Type.Optional(Type.Array(Type.Object({ ...MinuteBatch.properties, leftAt: Type.String() }))),
  /**
   * The minutes of which totals are parked, each with the newest version that is; absent: none. See parked-minutes.ts.
   * `told`: what its partition had told of the minute before it went on to a later one. All pages above include it.
   */
  parked: Type.Optional(
    Type.Array(
      Type.Object({
        ...Type.Pick(Totals, ['partition', 'minuteMs', 'version']).properties,
        told: Type.Optional(ToldMinute),
      }),
    ),
  ),
  /** The ledger of an hour: the position of the message that closed it; absent while it is open. */
  closedAt: Type.Optional(Type.String()),
});

export type LedgerState = Static<typeof LedgerState>;
export type ToldMinute = Static<typeof ToldMinute>;
