import Type, { type Static } from 'typebox';

const Count = Type.Integer({ minimum: 0 });
/** Whole nano-dollars. */
const Nanos = Count;

/** Windows beyond the present one that a region may lease: an hour of them. */
export const AHEAD_WINDOWS = 12;

/** The limits of a holder's spend. 0: no limit. */
export const BudgetLimits = Type.Object({
  /** The limit of a UTC day, by the time of the sale. */
  dailyNanos: Nanos,
  /** The limit of all time. */
  totalNanos: Nanos,
  /**
   * The instant since which the holder has had any limit without a break, ms since the epoch: earlier sales were under
   * no lease.
   */
  sinceMs: Count,
  /** The revision of the holder's settings with these limits: the newest applies. */
  revision: Count,
});
export type BudgetLimits = Static<typeof BudgetLimits>;

/**
 * What one edge holds of one budget window, counted from its first grant there, or from the first grant after its last
 * closing: a window may be leased again once its closing was acknowledged. An edge's sums do not fall until then; a
 * region, which holds leases for its edges, may give back a part of its grant by stating less.
 */
export const EdgeHolding = Type.Object({
  slotMs: Count,
  /**
   * The most that the edge may sell for, as far as it knows. The edge sells for no more unless it gets a larger grant.
   */
  grantedNanos: Nanos,
  /** The nano-dollars that the edge has sold for so far. */
  soldNanos: Nanos,
  /** True when the edge sells no more in this window: `soldNanos` is final. */
  closed: Type.Boolean(),
});
export type EdgeHolding = Static<typeof EdgeHolding>;

/** The most that an edge sells without a lease in each budget window from `fromMs` through `throughMs`. */
export const CeilingSpan = Type.Object({ fromMs: Count, throughMs: Count, nanos: Nanos });
export type CeilingSpan = Static<typeof CeilingSpan>;

export const budgetMessages = {
  /**
   * One edge states the most that it sells without a lease, because the holder has no limit: a limit that is set later
   * must count these sales. The statement is complete for the windows from `slotsFromMs` on and replaces the last one:
   * the edge sells nothing in windows that it does not name. Repeated and late statements change nothing. Answers
   * nothing.
   */
  ceiling: Type.Object({
    /** The name of one run of one edge process. */
    edge: Type.String({ minLength: 1 }),
    /** The number of the statement, which rises with each statement of this edge for this budget. */
    number: Count,
    /** The start of the earliest budget window of which impressions may still come, as far as the edge knows. */
    slotsFromMs: Count,
    spans: Type.Array(CeilingSpan),
  }),
  /**
   * One edge reports what it holds and requests more; answers {@link BudgetLease}. Both messages carry absolute sums: a
   * request that is repeated, lost or answered too late costs only time, so an edge without an answer just asks again
   * with a higher `number`. The edge must accept only the answer to its newest request, since an older grant may have
   * been given to another edge meanwhile. The request has no request id, so that answers are not kept for a day.
   */
  lease: Type.Object({
    /** The name of one run of one edge process. */
    edge: Type.String({ minLength: 1 }),
    /** The number of the request, which rises with each request of this edge for this budget. */
    number: Count,
    limits: BudgetLimits,
    /** Each budget window of which this edge has or had anything, and whose closing was not yet acknowledged. */
    holdings: Type.Array(EdgeHolding),
    /** The budget window in which the edge means to sell; at most one window length from the log's time. */
    slotMs: Count,
    /** The amount that the edge would like to be able to sell for beyond what it has sold. */
    wantNanos: Nanos,
    /** The least useful amount: less is not granted. */
    leastNanos: Nanos,
    /**
     * A region leases the windows after `slotMs` too, up to {@link AHEAD_WINDOWS} from now: what it would like to be
     * able to sell for in each, and the least useful amount. Releases that do not know it grant nothing ahead.
     */
    ahead: Type.Optional(Type.Object({ wantNanos: Nanos, leastNanos: Nanos })),
  }),
  /**
   * The spend before the first lease under these limits, from the ledgers: sold in windows before the window of
   * `sinceMs`, or in it. Only the first message for each `sinceMs` counts. A message that treats a window as open which
   * has been settled meanwhile does not count, and the budget stays unopened. Answers nothing.
   */
  open: Type.Object({
    sinceMs: Count,
    /** The spend of all time, without what `slots` holds. */
    spentNanos: Nanos,
    /** The spend by UTC day, without what `slots` holds. */
    days: Type.Array(Type.Object({ day: Type.String(), spentNanos: Nanos })),
    /**
     * The start of the earliest budget window of which impressions may still come: the sums above hold all earlier
     * sales.
     */
    slotsFromMs: Count,
    /**
     * The windows from there on, with the spend so far, and with all that was sold under no lease. Windows without
     * spend and without any such sale may be left out.
     */
    slots: Type.Array(Type.Object({ slotMs: Count, spentNanos: Nanos, unleasedNanos: Type.Optional(Nanos) })),
  }),
  /**
   * The final sums of the ledgers for budget windows of which no impression can come any more, also for windows that
   * the budget does not know. Leased money that was not spent is free again. Repetitions change nothing.
   */
  settle: Type.Object({
    slots: Type.Array(Type.Object({ slotMs: Count, spentNanos: Nanos })),
  }),
};

/** The answer to `lease`. */
export interface BudgetLease {
  readonly number: number;
  readonly slotMs: number;
  /**
   * The total that this edge may sell for in this window under this {@link EdgeHolding}; at least what it said it
   * holds.
   */
  readonly grantedNanos: number;
  /** The totals of later windows in which anything is granted, where the request was `ahead`. */
  readonly ahead?: readonly { readonly slotMs: number; readonly grantedNanos: number }[];
  /** True when the budget must be opened first: nothing more is granted. */
  readonly unopened: boolean;
  /** The money of the day and of all time that is neither spent nor leased after this grant; null without a limit. */
  readonly freeTodayNanos: number | null;
  readonly freeTotalNanos: number | null;
  /** The windows whose closing is saved: the edge need not report them again. */
  readonly closedSlots: readonly number[];
}
