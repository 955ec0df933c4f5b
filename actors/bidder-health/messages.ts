import Type, { type Static } from 'typebox';

const Count = Type.Integer({ minimum: 0 });

export const BreakerState = Type.Enum(['closed', 'open', 'half_open']);
export type BreakerState = Static<typeof BreakerState>;

/** What one edge sees of one bidder, whole: it replaces what the same edge said before. */
export const EdgeHealthReport = Type.Object({
  region: Type.String(),
  breaker: BreakerState,
  /** Calls a second, over the last second or so. */
  callsPerSecond: Count,
  /** Of the last five minutes. */
  calls: Count,
  timeouts: Count,
  errors: Count,
  /** Calls that got as far as the bidder, and the sum of their latencies. */
  timed: Count,
  latencyMicros: Count,
});
export type EdgeHealthReport = Static<typeof EdgeHealthReport>;

export const bidderHealthMessages = {
  /** `edge` names one run of one edge process. `lastBidAtMs`, ms since the epoch, is null where it has not bid yet. */
  report: Type.Object({
    edge: Type.String({ minLength: 1 }),
    /** How often the figures had begun anew when it looked (`DspProjection.healthResets`). */
    resets: Count,
    sighting: EdgeHealthReport,
    lastBidAtMs: Type.Union([Count, Type.Null()]),
  }),
};
