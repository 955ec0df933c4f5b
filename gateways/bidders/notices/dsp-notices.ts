import type { Clock } from '#runtime/ports/clock';
import { HostNotices } from './host-notices.ts';
import { MemoryQuota } from './memory-quota.ts';
import { type CountsByKind, limitForKind, type Notice, type NoticeKind } from './notice.ts';
import type { NoticeSettings } from './settings.ts';

export interface DspNoticesDeps {
  readonly settings: NoticeSettings;
  readonly clock: Clock;
  readonly counts: CountsByKind;
  /** Memory quota of all DSPs together. */
  readonly memoryQuota: MemoryQuota;
  /** Called when a host of this DSP has become idle. */
  readonly onIdle: () => void;
}

/** The notices of one DSP, with a queue for each host. DSPs share nothing but the bounds of all of them together. */
export class DspNotices {
  readonly #parts: DspNoticesDeps;
  readonly #memoryQuota: MemoryQuota;
  readonly #hostNotices = new Map<string, HostNotices>();
  #inFlight = 0;

  constructor(deps: DspNoticesDeps) {
    this.#parts = deps;
    this.#memoryQuota = new MemoryQuota(deps.settings.maxCharsPerDsp, deps.memoryQuota);
  }

  /** Number of hosts with a queue. */
  get hosts(): number {
    return this.#hostNotices.size;
  }

  get retrying(): number {
    let sum = 0;
    for (const lane of this.#hostNotices.values()) sum += lane.retrying;
    return sum;
  }

  get isIdle(): boolean {
    for (const lane of this.#hostNotices.values()) if (!lane.isIdle) return false;
    return true;
  }

  has(origin: string): boolean {
    return this.#hostNotices.has(origin);
  }

  /**
   * Whether one more host may be served; closes an idle one where it must. False when the DSP has its maximum of hosts
   * and none of them is idle.
   */
  hasRoomForHost(kind: NoticeKind): boolean {
    return this.#hostNotices.size < limitForKind(this.#parts.settings.maxHostsPerDsp, kind) || this.closeOneIdle();
  }

  /** Closes one idle host; false when none is idle. */
  closeOneIdle(): boolean {
    for (const [origin, lane] of this.#hostNotices) {
      if (!lane.isIdle) continue;
      this.#hostNotices.delete(origin);
      void lane.close();
      return true;
    }
    return false;
  }

  add(origin: string, notice: Notice): void {
    let lane = this.#hostNotices.get(origin);
    if (lane === undefined) {
      lane = new HostNotices(origin, {
        settings: this.#parts.settings,
        clock: this.#parts.clock,
        counts: this.#parts.counts,
        memoryQuota: this.#memoryQuota,
        hasCapacity: (kind) => this.#inFlight < limitForKind(this.#parts.settings.maxInFlightPerDsp, kind),
        onSent: () => void this.#inFlight++,
        onEnded: () => this.#ended(),
        onIdle: this.#parts.onIdle,
      });
      this.#hostNotices.set(origin, lane);
    }
    lane.add(notice);
  }

  flushRetries(): void {
    for (const lane of this.#hostNotices.values()) lane.flushRetries();
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#hostNotices.values(), (lane) => lane.close()));
    this.#hostNotices.clear();
  }

  /** Called when a notice in flight has ended: its place is free for any host of this DSP that waits for one. */
  #ended(): void {
    const wasFull = this.#inFlight >= limitForKind(this.#parts.settings.maxInFlightPerDsp, 'loss');
    this.#inFlight--;
    if (wasFull) for (const lane of this.#hostNotices.values()) lane.schedule();
  }
}
