import Type, { type Static } from 'typebox';

const Count = Type.Integer({ minimum: 0 });
/** Whole nano-dollars. */
const Nanos = Count;

/** What the holder may spend. 0: no limit. */
export const BudgetLimits = Type.Object({
  /** In a UTC day, by when it is sold. */
  dailyNanos: Nanos,
  /** Of all time. */
  totalNanos: Nanos,
  /** Since when the holder has had any limit without a break, ms since the epoch: what was sold before was under no lease. */
  sinceMs: Count,
  /** Of the holder's settings that say so: the newest holds. */
  revision: Count,
});
export type BudgetLimits = Static<typeof BudgetLimits>;

/**
 * What one edge has of one slot, from its first grant there, or the first after the last closing of it there: a slot may be
 * leased again once its closing was acknowledged. Neither figure falls until then.
 */
export const EdgeHolding = Type.Object({
  slotMs: Count,
  /** What it may sell for at most, as far as it has heard. It will sell for no more unless it hears of more. */
  grantedNanos: Nanos,
  /** What it has sold for so far. */
  soldNanos: Nanos,
  /** It sells nothing more in this slot: `soldNanos` is the last word. */
  closed: Type.Boolean(),
});
export type EdgeHolding = Static<typeof EdgeHolding>;

export const budgetMessages = {
  /**
   * One edge says what it has and asks for more; answers {@link Lease}. Absolute figures both ways: a request that is repeated,
   * lost or answered too late costs nothing but time, so an edge that got no answer just asks again with a higher `number`.
   * It must take no answer but that to its newest request: what an older one granted may have been given to another since.
   * Asked without a request id, so that answers are not kept for a day.
   */
  lease: Type.Object({
    /** Names one run of one edge process. */
    edge: Type.String({ minLength: 1 }),
    /** Rises with each request of this edge for this budget. */
    number: Count,
    limits: BudgetLimits,
    /** Every slot that this edge has, or has had, anything of and that was not yet acknowledged as closed. */
    holdings: Type.Array(EdgeHolding),
    /** The slot in which it means to sell; not further from the log's time than a slot's length. */
    slotMs: Count,
    /** How much more than it has sold it would like to be able to sell for. */
    wantNanos: Nanos,
    /** The least that is of use: less is not granted. */
    leastNanos: Nanos,
  }),
  /**
   * What was spent before the first lease under these limits, from the ledgers: sold in slots before `sinceMs`' own or in
   * it. Only the first after each `sinceMs` counts, and none that takes a slot for open that has been settled meanwhile: the
   * budget stays unopened then. Answers nothing.
   */
  open: Type.Object({
    sinceMs: Count,
    /** Of all time, all days, without what `slots` holds. */
    spentNanos: Nanos,
    /** Without what `slots` holds, by UTC day. */
    days: Type.Array(Type.Object({ day: Type.String(), spentNanos: Nanos })),
    /** Start of the earliest slot of which impressions may still come: all that was sold before is in the sums above. */
    slotsFromMs: Count,
    /**
     * From there on, with what has come so far, and what in all was sold under no lease. Those of which nothing has come, and in
     * which nothing can have been sold so, may be left out.
     */
    slots: Type.Array(Type.Object({ slotMs: Count, spentNanos: Nanos, unleasedNanos: Type.Optional(Nanos) })),
  }),
  /**
   * The ledgers' last word on slots of which no impression can come any more, those that the budget has never heard of too. What
   * of them was leased and not spent is free again. Repetitions change nothing.
   */
  settle: Type.Object({
    slots: Type.Array(Type.Object({ slotMs: Count, spentNanos: Nanos })),
  }),
};

/** The answer to `lease`. */
export interface BudgetLease {
  readonly number: number;
  readonly slotMs: number;
  /** What this edge may sell for in this slot under this {@link Holding}, all in all; not below what it said it holds. */
  readonly grantedNanos: number;
  /** The budget must be opened first: nothing more is granted. */
  readonly unopened: boolean;
  /** Of the day and of all time: neither spent nor leased, after this grant; null for no limit. */
  readonly freeTodayNanos: number | null;
  readonly freeTotalNanos: number | null;
  /** Slots whose closing is saved: the edge need not speak of them again. */
  readonly closedSlots: readonly number[];
}
