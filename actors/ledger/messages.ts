import Type, { type Static } from 'typebox';
import { LedgerPage } from './page-schema.ts';

const Count = Type.Integer({ minimum: 0 });
const Counts = Type.Record(Type.String(), Count);

/** Billed impressions of one part of a page. `grossNanos` and `feeNanos` are whole nano-dollars. */
const BilledSum = Type.Object({ impressions: Count, grossNanos: Count, feeNanos: Count });

const NamedBilledSum = Type.Object({ id: Type.String(), ...BilledSum.properties });

/** Billed impressions of one budget window, by the time of their sale (see budget/budget-window.ts). */
const BudgetWindowSum = Type.Object({ slotMs: Count, impressions: Count, grossNanos: Count });

/**
 * The totals of one impression partition for this ledger in one minute. They are complete: they replace an older
 * version. The parts of a region by counterparty, and again by creative, each add up to the region.
 */
export const Totals = Type.Object({
  partition: Count,
  /** The start of the minute, ms since the epoch. */
  minuteMs: Count,
  /** The log position at which this page last changed: a later version is more complete. */
  version: Type.String(),
  /** The W3C trace context of a traced impression in it. */
  trace: Type.Optional(Type.String()),
  /** The sums by budget window, for publishers, DSPs and campaigns. Sales of older edges are in no window. */
  slots: Type.Optional(Type.Array(BudgetWindowSum)),
  regions: Type.Array(
    Type.Object({
      region: Type.String(),
      ...BilledSum.properties,
      /** Counts of invalid traffic, by the names of actors/ledger/invalid-counts.ts; absent where there was none. */
      counts: Type.Optional(Counts),
      counterparties: Type.Array(NamedBilledSum),
      creatives: Type.Array(NamedBilledSum),
    }),
  ),
});

/** The counts with one counterparty, or of one creative. Absent counts are 0. */
const NamedBidCounts = Type.Object({
  id: Type.String(),
  bids: Count,
  wins: Count,
  measurable: Type.Optional(Count),
  viewable: Type.Optional(Count),
});

/** The counts of one edge since its last message: they are added up, each message once. No invoice uses them. */
export const FactCounts = Type.Object({
  /** The start of the minute by the edge's clock, ms since the epoch. */
  minuteMs: Count,
  region: Type.String(),
  /** The counts by name (see report/); names with reasons are `name/reason`. */
  counts: Counts,
  counterparties: Type.Array(NamedBidCounts),
  creatives: Type.Array(NamedBidCounts),
  /** The latency sketch: bin → number of answers (see latency.ts). */
  latency: Counts,
  /**
   * Sales without a lease, because the holder had no limit: whole nano-dollars by budget window. For DSPs and
   * campaigns.
   */
  unleased: Type.Optional(Type.Array(Type.Object({ slotMs: Count, nanos: Count }))),
});

/** An hour that is over, as its own ledger tells the ledger of its day. It can change no more. */
export const ClosedHour = Type.Object({
  /** The hour of the day, UTC. */
  hour: Type.Integer({ minimum: 0, maximum: 23 }),
  page: LedgerPage,
  slots: Type.Record(Type.String(), Type.Object({ impressions: Count, grossNanos: Count })),
  unleased: Type.Record(Type.String(), Count),
});

/** Minutes that have left the ledger of an hour: what is told once does not change. */
export const MinuteBatch = Type.Object({
  /** The batches of one ledger are numbered from 1. */
  number: Type.Integer({ minimum: 1 }),
  /** The table of names of the pages; see names-text.ts. */
  names: Type.String(),
  /** Packed pages by their index in the day. A minute may come in several parts, which add up. */
  pages: Type.Record(Type.String(), Type.String()),
});

export type MinuteBatch = Static<typeof MinuteBatch>;
export type ClosedHour = Static<typeof ClosedHour>;
export type BilledSum = Static<typeof BilledSum>;
export type BudgetWindowSum = Static<typeof BudgetWindowSum>;
export type NamedBilledSum = Static<typeof NamedBilledSum>;
export type Totals = Static<typeof Totals>;
export type FactCounts = Static<typeof FactCounts>;

/**
 * `totals` and `facts` book. `close` tells the ledger of an hour that nothing can come any more; it then tells the
 * ledger of its day, once, with `hour`.
 */
export const ledgerMessages = { totals: Totals, facts: FactCounts, close: Type.Object({}), hour: ClosedHour };
