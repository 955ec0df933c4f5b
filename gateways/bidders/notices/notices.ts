import { substituteMacros } from '../../../exchange/openrtb/macros.ts';
import type { Clock } from '../../../runtime/ports/clock.ts';
import { namesForbiddenAddress } from '../../http/address-guard.ts';
import { type CountsByKind, type NoticeKind, noCounts } from './notice.ts';
import { NoticeLane } from './notice-lane.ts';
import { Room } from './room.ts';
import type { NoticeSettings } from './settings.ts';

/**
 * Win, billing and loss notices to bidders: called after the answer has left, never in its way. Best effort, bounded in
 * every direction; a notice waits in memory alone, so what a crash finds there is lost. Nothing is billed by them.
 */
export class Notices {
  readonly counts: CountsByKind = noCounts();
  readonly #settings: NoticeSettings;
  readonly #clock: Clock;
  readonly #room: Room;
  readonly #lanes = new Map<string, NoticeLane>();
  #whenIdle: (() => void) | null = null;

  constructor(settings: NoticeSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#room = new Room(settings.maxChars);
  }

  /** Notices that wait for another attempt. */
  get retrying(): number {
    let sum = 0;
    for (const lane of this.#lanes.values()) sum += lane.retrying;
    return sum;
  }

  /**
   * Queues a notice and returns at once; never throws. `url` has its macros replaced already, save for a billing
   * notice's `${AUCTION_IMP_TS}`, which is now.
   */
  send(kind: NoticeKind, noticeUrl: string): void {
    const url =
      kind === 'billing' ? substituteMacros(noticeUrl, { impressionMs: String(this.#clock.now()) }) : noticeUrl;
    const parsed = url.length <= this.#settings.maxUrlLength && URL.canParse(url) ? new URL(url) : null;
    const lane = parsed === null ? null : this.#laneFor(parsed);
    if (lane === null) this.counts[kind].dropped++;
    else lane.add({ kind, path: parsed!.pathname + parsed!.search, attempts: 0, dueAtMs: 0 });
  }

  /**
   * Resolves when every queued notice has ended, or after `graceMs`, then closes the connections. What waits for another
   * attempt has it at once, as its last.
   */
  async close(graceMs: number): Promise<void> {
    for (const lane of this.#lanes.values()) lane.hurry();
    if (!this.#isIdle()) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(graceMs, resolve);
        this.#whenIdle = () => {
          cancel();
          resolve();
        };
      });
    }
    await Promise.all(Array.from(this.#lanes.values(), (lane) => lane.close()));
    this.#lanes.clear();
  }

  #laneFor(url: URL): NoticeLane | null {
    const known = this.#lanes.get(url.origin);
    if (known) return known;
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
    if (!this.#settings.allowPrivateNetworks && namesForbiddenAddress(url)) return null;
    if (this.#lanes.size >= this.#settings.maxHosts && !this.#closeOneIdle()) return null;
    const lane = new NoticeLane(url.origin, {
      settings: this.#settings,
      clock: this.#clock,
      counts: this.counts,
      room: this.#room,
      idle: () => {
        if (this.#whenIdle !== null && this.#isIdle()) this.#whenIdle();
      },
    });
    this.#lanes.set(url.origin, lane);
    return lane;
  }

  #closeOneIdle(): boolean {
    for (const [origin, lane] of this.#lanes) {
      if (!lane.isIdle) continue;
      this.#lanes.delete(origin);
      void lane.close();
      return true;
    }
    return false;
  }

  #isIdle(): boolean {
    for (const lane of this.#lanes.values()) if (!lane.isIdle) return false;
    return true;
  }
}
