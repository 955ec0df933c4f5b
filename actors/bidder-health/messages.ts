import Type, { type Static } from 'typebox';

const Count = Type.Integer({ minimum: 0 });

export const BreakerState = Type.Enum(['closed', 'open', 'half_open']);
export type BreakerState = Static<typeof BreakerState>;

/** Why a connection to a bidder over TLS was not made. */
export const ConnectionProblem = Type.Enum([
  'certificate-expired',
  'certificate-not-yet-valid',
  'certificate-of-another-host',
  'certificate-untrusted',
  'client-certificate-refused',
  'tls-failed',
]);
export type ConnectionProblem = Static<typeof ConnectionProblem>;

/** The whole report of one edge about one bidder: it replaces the edge's earlier report. */
export const EdgeHealthReport = Type.Object({
  region: Type.String(),
  breaker: BreakerState,
  /** Calls per second, over about the last second. */
  callsPerSecond: Count,
  /** Counts of the last five minutes. */
  calls: Count,
  timeouts: Count,
  errors: Count,
  /** The calls that reached the bidder, and the sum of their latencies. */
  timed: Count,
  latencyMicros: Count,
  /** Of the edge's latest try to connect; absent: it was connected, or does not speak TLS. */
  connectionProblem: Type.Optional(ConnectionProblem),
});
export type EdgeHealthReport = Static<typeof EdgeHealthReport>;

export const bidderHealthMessages = {
  /**
   * `edge` names one run of one edge process. `lastBidAtMs`, ms since the epoch, is null while the bidder has not bid.
   */
  report: Type.Object({
    edge: Type.String({ minLength: 1 }),
    /** The number of resets of the figures that the edge knew (`DspProjection.healthResets`). */
    resets: Count,
    sighting: EdgeHealthReport,
    lastBidAtMs: Type.Union([Count, Type.Null()]),
  }),
};
