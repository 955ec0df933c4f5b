import type { Clock } from '../../runtime/ports/clock.ts';
import type { ExpiringMarks } from '../../runtime/ports/expiring-marks.ts';

/** Wins told lately, on this edge; beyond this many the oldest are forgotten, and only the shared marks know of them. */
const REMEMBERED = 100_000;
const ONE_EDGE = 1;

export interface WinNotifierOptions {
  /** Of a region's edges; absent where this is the only one. */
  readonly marks?: Pick<ExpiringMarks, 'putWithin'>;
  /** Names this edge among them. */
  readonly edge: string;
  readonly clock: Clock;
  /** Called once for each win, with the DSP's own `nurl`. */
  readonly onWin: (winNoticeUrl: string, dspId: string) => void;
}

/**
 * Tells DSPs of their wins, each once, by whichever comes first: a call of our `nurl`, or the first billed impression of a caller
 * that does not call it. While the shared marks are away, two edges may tell of the same win. No money depends on it.
 */
export class WinNotifier {
  readonly #options: WinNotifierOptions;
  readonly #told = new Set<string>();

  constructor(options: WinNotifierOptions) {
    this.#options = options;
  }

  /** Waits for nothing and never throws. `untilMs`: when the win can be told no more, ms since the epoch. */
  tell(trackingId: string, winNoticeUrl: string, dspId: string, untilMs: number): void {
    const { marks, edge, clock, onWin: won } = this.#options;
    if (this.#told.has(trackingId)) return;
    this.#told.add(trackingId);
    if (this.#told.size > REMEMBERED) this.#told.delete(this.#told.values().next().value!);
    if (marks === undefined) {
      won(winNoticeUrl, dspId);
      return;
    }
    // Of two edges one finds room: a mark is an edge, and a win has room for one.
    marks.putWithin({ group: trackingId, key: 'won' }, edge, untilMs, ONE_EDGE, clock.now()).then(
      (isFirst) => {
        if (isFirst) won(winNoticeUrl, dspId);
      },
      () => won(winNoticeUrl, dspId),
    );
  }
}
