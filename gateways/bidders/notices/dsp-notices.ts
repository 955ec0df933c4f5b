import type { Clock } from '../../../runtime/ports/clock.ts';
import { type CountsByKind, type Notice, type NoticeKind, shareOf } from './notice.ts';
import { NoticeLane } from './notice-lane.ts';
import { Room } from './room.ts';
import type { NoticeSettings } from './settings.ts';

export interface DspNoticesParts {
  readonly settings: NoticeSettings;
  readonly clock: Clock;
  readonly counts: CountsByKind;
  /** Of all DSPs. */
  readonly room: Room;
  /** Called whenever a host of this DSP has nothing left to do. */
  readonly idle: () => void;
}

/** The notices of one DSP, a lane for each host: it shares nothing with others but what all of them may take together. */
export class DspNotices {
  readonly #parts: DspNoticesParts;
  readonly #room: Room;
  readonly #lanes = new Map<string, NoticeLane>();
  #inFlight = 0;

  constructor(parts: DspNoticesParts) {
    this.#parts = parts;
    this.#room = new Room(parts.settings.maxCharsPerDsp, parts.room);
  }

  /** Hosts that are served. */
  get hosts(): number {
    return this.#lanes.size;
  }

  get retrying(): number {
    let sum = 0;
    for (const lane of this.#lanes.values()) sum += lane.retrying;
    return sum;
  }

  get isIdle(): boolean {
    for (const lane of this.#lanes.values()) if (!lane.isIdle) return false;
    return true;
  }

  has(origin: string): boolean {
    return this.#lanes.has(origin);
  }

  /** False when the DSP has as many hosts as it may, and none of them is idle. Closes an idle one where it must. */
  hasRoomForHost(kind: NoticeKind): boolean {
    return this.#lanes.size < shareOf(this.#parts.settings.maxHostsPerDsp, kind) || this.closeOneIdle();
  }

  /** False when each host has something to do. */
  closeOneIdle(): boolean {
    for (const [origin, lane] of this.#lanes) {
      if (!lane.isIdle) continue;
      this.#lanes.delete(origin);
      void lane.close();
      return true;
    }
    return false;
  }

  add(origin: string, notice: Notice): void {
    let lane = this.#lanes.get(origin);
    if (lane === undefined) {
      lane = new NoticeLane(origin, {
        settings: this.#parts.settings,
        clock: this.#parts.clock,
        counts: this.#parts.counts,
        room: this.#room,
        mayGo: (kind) => this.#inFlight < shareOf(this.#parts.settings.maxInFlightPerDsp, kind),
        went: () => void this.#inFlight++,
        ended: () => this.#ended(),
        idle: this.#parts.idle,
      });
      this.#lanes.set(origin, lane);
    }
    lane.add(notice);
  }

  hurry(): void {
    for (const lane of this.#lanes.values()) lane.hurry();
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#lanes.values(), (lane) => lane.close()));
    this.#lanes.clear();
  }

  /** A place is free, for whichever host of this DSP has waited for one. */
  #ended(): void {
    const wasFull = this.#inFlight >= shareOf(this.#parts.settings.maxInFlightPerDsp, 'loss');
    this.#inFlight--;
    if (wasFull) for (const lane of this.#lanes.values()) lane.schedule();
  }
}
