import type { Clock } from '../../runtime/ports/clock.ts';
import type { ExpiringMarks } from '../../runtime/ports/expiring-marks.ts';

/**
 * Upper bound of recent wins remembered at this edge. Beyond it the oldest are forgotten, and only the shared marks
 * hold them.
 */
const REMEMBERED = 100_000;
const ONE_EDGE = 1;

export interface WinNotifierOptions {
  /** Marks shared by a region's edges; absent where this edge is the only one. */
  readonly marks?: Pick<ExpiringMarks, 'putWithin'>;
  /** Name of this edge among them. */
  readonly edge: string;
  readonly clock: Clock;
  /** Called once for each win, with the DSP's own `nurl`. */
  readonly onWin: (winNoticeUrl: string, dspId: string) => void;
}

/**
 * Sends each DSP's win notices, one for each win, at whichever comes first: a call of the exchange's `nurl`, or the
 * first billed impression when the caller does not call it. While the shared marks are away, two edges may each send a
 * notice of the same win. No money depends on it.
 */
export class WinNotifier {
  readonly #options: WinNotifierOptions;
  readonly #told = new Set<string>();

  constructor(options: WinNotifierOptions) {
    this.#options = options;
  }

  /**
   * Waits for nothing and never throws. `untilMs`: time after which the win can no longer be reported, ms since the
   * epoch.
   */
  tell(trackingId: string, winNoticeUrl: string, dspId: string, untilMs: number): void {
    const { marks, edge, clock, onWin: won } = this.#options;
    if (this.#told.has(trackingId)) return;
    this.#told.add(trackingId);
    if (this.#told.size > REMEMBERED) this.#told.delete(this.#told.values().next().value!);
    if (marks === undefined) {
      won(winNoticeUrl, dspId);
      return;
    }
    // Only one of two edges finds room: an edge puts a mark, and a win has room for one mark.
    marks.putWithin({ group: trackingId, key: 'won' }, edge, untilMs, ONE_EDGE, clock.now()).then(
      (isFirst) => {
        if (isFirst) won(winNoticeUrl, dspId);
      },
      () => won(winNoticeUrl, dspId),
    );
  }
}
