import type { Impression } from '../../../actors/tally/messages.ts';
import { feeNanos } from '../../../exchange/money/fee.ts';
import { decodeEnvelope } from '../../../runtime/node/envelope.ts';
import type { LogEntry } from '../../../runtime/ports/log.ts';
import { positionTimeMs } from '../../../runtime/ports/position.ts';
import type { Violations } from '../../../runtime/simulator/auditor/violations.ts';
import type { LogObserver } from '../../../runtime/simulator/log-server.ts';

/** One impression that the log holds, or held until it was covered: it must be billed, once, at the time of the log. */
export interface Billable {
  readonly impression: Impression;
  readonly atMs: number;
}

/** What some impressions come to. */
export interface ModelSum {
  impressions: number;
  grossNanos: bigint;
  feeNanos: bigint;
}

/**
 * The model: count × price of what was truly appended, kept beside the log server and by nothing else. Nothing of the
 * exchange's own sums is in it.
 */
export class MoneyModel implements LogObserver {
  /** By tracking id. */
  readonly billable = new Map<string, Billable>();
  /** Answered 200 as billed. */
  readonly answered = new Set<string>();
  readonly #violations: Violations;

  constructor(violations: Violations) {
    this.#violations = violations;
  }

  appended(_partition: number, entries: readonly LogEntry[]): void {
    for (const { position, payload } of entries) {
      const impression = impressionIn(payload);
      if (impression === null) continue;
      if (this.billable.has(impression.id))
        this.#violations.add('appended once', `${impression.id} was appended twice`);
      this.billable.set(impression.id, { impression, atMs: positionTimeMs(position) });
    }
  }

  unsynced(_partition: number, entries: readonly LogEntry[]): void {
    for (const { payload } of entries) {
      const impression = impressionIn(payload);
      if (impression !== null) this.billable.delete(impression.id);
    }
  }

  trimmed(): void {}
  lost(): void {}
  published(): void {}
  movedByStaleOwner(): void {}

  /** Of those that `of` says yes to. */
  sum(of: (one: Billable) => boolean): ModelSum {
    const sum: ModelSum = { impressions: 0, grossNanos: 0n, feeNanos: 0n };
    for (const one of this.billable.values()) {
      if (!of(one)) continue;
      const { priceCpmMicros, feePpm } = one.impression;
      sum.impressions += 1;
      sum.grossNanos += BigInt(priceCpmMicros);
      sum.feeNanos += BigInt(feeNanos(priceCpmMicros, feePpm));
    }
    return sum;
  }
}

function impressionIn(payload: string): Impression | null {
  if (!payload.startsWith('["tally/')) return null;
  return decodeEnvelope(payload).body as Impression;
}
