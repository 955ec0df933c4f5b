import Type, { type Static } from 'typebox';

const Count = Type.Integer({ minimum: 0 });

/** The row of one counterparty or creative. Absent counts are 0: most rows have few. */
const LedgerRow = Type.Object({
  impressions: Count,
  grossNanos: Count,
  feeNanos: Count,
  bids: Type.Optional(Count),
  wins: Type.Optional(Count),
  /** Measurable impressions, and viewable ones among them (MRC). */
  measurable: Type.Optional(Count),
  viewable: Type.Optional(Count),
});

const Rows = Type.Record(Type.String(), LedgerRow);

/** One region's part of a page. */
export const RegionPage = Type.Object({
  impressions: Count,
  grossNanos: Count,
  feeNanos: Count,
  counts: Type.Record(Type.String(), Count),
  latency: Type.Record(Type.String(), Count),
  counterparties: Rows,
  creatives: Rows,
});

/** A ledger page: the sums of one stretch of time, by region. */
export const LedgerPage = Type.Record(Type.String(), RegionPage);

export type LedgerRow = Static<typeof LedgerRow>;
export type RegionPage = Static<typeof RegionPage>;
export type LedgerPage = Static<typeof LedgerPage>;
