import { comparePositions, type Position, START } from '../ports/position.ts';
import type { VirtualTime } from './virtual-time.ts';

/** After a loss owners have this long from their next acquisition to lift new positions above the old ones... */
const NOTICED_WITHIN_MS = 15_000;
/** ...and from then on only what was under way may still be missed. */
const RAISED_WITHIN_MS = 300;

/**
 * What a loss of the log's own entries leaves behind in a partition: for a while new entries may stand where others
 * stood before, and be taken for something that was handled. Nobody can be blamed for those.
 */
export class LossWindow {
  readonly #time: VirtualTime;
  /** The highest position given out before the loss. */
  #below: Position = START;
  #untilMs = 0;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** The partition lost entries; `last` was its last position before. */
  begin(last: Position): void {
    if (comparePositions(last, this.#below) > 0) this.#below = last;
    this.#untilMs = Number.POSITIVE_INFINITY;
  }

  acquired(): void {
    this.#untilMs = Math.min(this.#untilMs, this.#time.nowMs + NOTICED_WITHIN_MS);
  }

  raised(): void {
    this.#untilMs = Math.min(this.#untilMs, this.#time.nowMs + RAISED_WITHIN_MS);
  }

  covers(position: Position): boolean {
    return this.#time.nowMs < this.#untilMs && comparePositions(position, this.#below) <= 0;
  }
}
