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
  /** Tracking ids of what is parked: in the log no more, and in no books. */
  readonly #parked = new Set<string>();
  /** By tracking id, what stood there before it was replayed. */
  readonly #replayed = new Map<string, Billable>();
  /** Called with each impression that comes to the log, and whether it is one that was parked. */
  onBilled: (impression: Impression, replayed: boolean) => void = () => {};
  readonly #violations: Violations;

  constructor(violations: Violations) {
    this.#violations = violations;
  }

  appended(_partition: number, entries: readonly LogEntry[]): void {
    for (const { position, payload } of entries) {
      const impression = impressionIn(payload);
      if (impression === null) continue;
      const { id } = impression;
      const before = this.billable.get(id);
      if (before && this.#parked.delete(id)) this.#replayed.set(id, before);
      else if (before) this.#violations.add('appended once', `${id} was appended twice`);
      this.billable.set(id, { impression, atMs: positionTimeMs(position) });
      this.onBilled(impression, before !== undefined);
    }
  }

  unsynced(_partition: number, entries: readonly LogEntry[]): void {
    for (const { payload } of entries) {
      const impression = impressionIn(payload);
      if (impression === null) continue;
      const before = this.#replayed.get(impression.id);
      if (before) this.#park(before);
      else this.billable.delete(impression.id);
    }
  }

  /** It is in the dead letters, and billed when it is replayed, at the time of that. */
  parked(payload: string): void {
    const one = this.billable.get(impressionIn(payload)?.id ?? '');
    if (one) this.#park(one);
  }

  #park(one: Billable): void {
    this.#replayed.delete(one.impression.id);
    this.billable.set(one.impression.id, one);
    this.#parked.add(one.impression.id);
  }

  get replayed(): number {
    return this.#replayed.size;
  }

  trimmed(): void {}
  lost(): void {}
  published(): void {}
  movedByStaleOwner(): void {}

  /** Of those that `of` says yes to. */
  sum(of: (one: Billable) => boolean): ModelSum {
    const sum: ModelSum = { impressions: 0, grossNanos: 0n, feeNanos: 0n };
    for (const one of this.billable.values()) {
      if (!of(one) || this.#parked.has(one.impression.id)) continue;
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
