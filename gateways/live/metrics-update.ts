import { wholeCentsOf } from '../../exchange/money/cents.ts';
import { ratio } from '../../exchange/money/ratio.ts';
import { auctionsPerSecond, type LiveMinute, totalOf } from './live-figures.ts';

/** The message that is pushed every 5 seconds, with exactly these fields (specification, "WebSocket"). */
export interface MetricsUpdate {
  readonly type: 'metrics_update';
  /** The time of the update in ISO 8601. */
  readonly timestamp: string;
  /** Auctions per second. */
  readonly rps: number;
  /** The fill rate: imps answered with an ad ÷ imps auctioned, 0..1. */
  readonly fill_rate_1m: number;
  /** The payout in cents: gross less fee, rounded half-even once. */
  readonly revenue_cents_1m: number;
}

/** Builds the update from the counts of the last minute, which ends within the current 5 seconds. */
export function metricsUpdate(minute: LiveMinute, nowMs: number): MetricsUpdate {
  const total = totalOf(minute);
  return {
    type: 'metrics_update',
    timestamp: new Date(nowMs).toISOString(),
    rps: auctionsPerSecond(total, minute),
    fill_rate_1m: ratio(total.filledImps, total.imps),
    revenue_cents_1m: wholeCentsOf(BigInt(total.netNanos)),
  };
}
