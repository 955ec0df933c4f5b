import type { Clock } from '../../../runtime/ports/clock.ts';
import { HostNotices } from './host-notices.ts';
import { MemoryQuota } from './memory-quota.ts';
import { type CountsByKind, limitForKind, type Notice, type NoticeKind } from './notice.ts';
import type { NoticeSettings } from './settings.ts';

export interface DspNoticesDeps {
  readonly settings: NoticeSettings;
  readonly clock: Clock;
  readonly counts: CountsByKind;
  /** Of all DSPs. */
  readonly memoryQuota: MemoryQuota;
  /** Called whenever a host of this DSP has nothing left to do. */
  readonly onIdle: () => void;
}

/** The notices of one DSP, a lane for each host: it shares nothing with others but what all of them may take together. */
export class DspNotices {
  readonly #parts: DspNoticesDeps;
  readonly #memoryQuota: MemoryQuota;
  readonly #hostNotices = new Map<string, HostNotices>();
  #inFlight = 0;

  constructor(parts: DspNoticesDeps) {
    this.#parts = parts;
    this.#memoryQuota = new MemoryQuota(parts.settings.maxCharsPerDsp, parts.memoryQuota);
  }

  /** Hosts that are served. */
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

  /** False when the DSP has as many hosts as it may, and none of them is idle. Closes an idle one where it must. */
  hasRoomForHost(kind: NoticeKind): boolean {
    return this.#hostNotices.size < limitForKind(this.#parts.settings.maxHostsPerDsp, kind) || this.closeOneIdle();
  }

  /** False when each host has something to do. */
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

  /** A place is free, for whichever host of this DSP has waited for one. */
  #ended(): void {
    const wasFull = this.#inFlight >= limitForKind(this.#parts.settings.maxInFlightPerDsp, 'loss');
    this.#inFlight--;
    if (wasFull) for (const lane of this.#hostNotices.values()) lane.schedule();
  }
}
