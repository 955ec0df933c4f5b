import Type, { type Static } from 'typebox';

const Count = Type.Integer({ minimum: 0 });
const Counts = Type.Record(Type.String(), Count);

/** Billed impressions of one part of a page. `grossNanos` and `feeNanos` are whole nano-dollars. */
const BilledSum = Type.Object({ impressions: Count, grossNanos: Count, feeNanos: Count });

const NamedBilledSum = Type.Object({ id: Type.String(), ...BilledSum.properties });

/** Billed impressions by when they were sold: of one budget slot (see budget/slot.ts). */
const BudgetWindowSum = Type.Object({ slotMs: Count, impressions: Count, grossNanos: Count });

/**
 * All that one impression partition billed for this ledger in one minute, whole: it replaces what an older version said.
 * The parts of a region by counterparty, and again by creative, each add up to the region.
 */
export const Totals = Type.Object({
  partition: Count,
  /** Start of the minute, ms since the epoch. */
  minuteMs: Count,
  /** The log position at which this page last changed: a later one says more. */
  version: Type.String(),
  /** Of publishers, DSPs and campaigns. What older edges have sold is in no slot. */
  slots: Type.Optional(Type.Array(BudgetWindowSum)),
  regions: Type.Array(
    Type.Object({
      region: Type.String(),
      ...BilledSum.properties,
      /** Of invalid traffic, by the names of actors/ledger/invalid-counts.ts; absent where there was none. */
      counts: Type.Optional(Counts),
      counterparties: Type.Array(NamedBilledSum),
      creatives: Type.Array(NamedBilledSum),
    }),
  ),
});

/** With one counterparty, or of one creative. Absent counts are 0. */
const NamedBidCounts = Type.Object({
  id: Type.String(),
  bids: Count,
  wins: Count,
  measurable: Type.Optional(Count),
  viewable: Type.Optional(Count),
});

/** What one edge counted since it last said so: added up, each message once. No invoice uses it. */
export const FactCounts = Type.Object({
  /** Start of the minute by the edge's clock, ms since the epoch. */
  minuteMs: Count,
  region: Type.String(),
  /** By name (see report/); names with reasons are `name/reason`. */
  counts: Counts,
  counterparties: Type.Array(NamedBidCounts),
  creatives: Type.Array(NamedBidCounts),
  /** Latency sketch: bin → how many answers (see latency-bins.ts). */
  latency: Counts,
  /** Sold while nothing of it was leased, because its holder had no limit: whole nano-dollars by budget slot. Of DSPs and campaigns. */
  unleased: Type.Optional(Type.Array(Type.Object({ slotMs: Count, nanos: Count }))),
});

export type BilledSum = Static<typeof BilledSum>;
export type BudgetWindowSum = Static<typeof BudgetWindowSum>;
export type NamedBilledSum = Static<typeof NamedBilledSum>;
export type Totals = Static<typeof Totals>;
export type FactCounts = Static<typeof FactCounts>;

/** To a ledger that an older release has saved: it is to be found by its age from now on. */
const AgeIndexMessage = Type.Object({});

export const ledgerMessages = { totals: Totals, facts: FactCounts, file: AgeIndexMessage };
