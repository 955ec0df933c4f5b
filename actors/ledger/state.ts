import Type, { type Static } from 'typebox';
import { Totals } from './messages.ts';
import { LedgerPage } from './page.ts';

const Count = Type.Integer({ minimum: 0 });
const Pages = Type.Record(Type.String(), LedgerPage);

/** What one ledger holds of its UTC day. */
export const LedgerState = Type.Object({
  /** See ledger-id.ts; '' in what an older release has saved. */
  filedUnder: Type.String(),
  /** What packed pages call names; see packed-page.ts. */
  names: Type.Array(Type.String()),
  /** The day has moved more than a page can hold: its figures are those of its hours. */
  daysOverflown: Type.Boolean(),
  /** Pages by their number in the day, at each grain; see grain.ts. */
  days: Pages,
  hours: Pages,
  /** The newest two as pages, older ones packed. */
  minutes: Type.Record(Type.String(), Type.Union([LedgerPage, Type.String()])),
  /** By impression partition: its newest minute, as last told, packed. All pages above hold it too. */
  open: Type.Record(
    Type.String(),
    Type.Object({ ...Type.Pick(Totals, ['minuteMs', 'version', 'slots']).properties, packed: Type.String() }),
  ),
  /** What this day's impressions have moved, by the start of the budget slot that they were sold in, ms since the epoch. */
  slots: Type.Record(Type.String(), Type.Object({ impressions: Count, grossNanos: Count })),
  /**
   * What edges say that they sold while the holder had no limit, rendered or not, whole nano-dollars by slot of the sale: no
   * less than it was, unless an edge has died within a second of a sale. No invoice uses it; a limit that comes later does.
   */
  unleased: Type.Record(Type.String(), Count),
});

export type LedgerState = Static<typeof LedgerState>;
