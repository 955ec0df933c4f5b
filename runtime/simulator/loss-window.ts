import { comparePositions, type Position, START } from '../ports/position.ts';
import type { VirtualTime } from './virtual-time.ts';

/** After a loss, owners have this long from their next acquisition to raise new positions above the old ones, ms. */
const NOTICED_WITHIN_MS = 15_000;
/** After the raise, only entries under way may still be missed for this long, ms. */
const RAISED_WITHIN_MS = 300;

/**
 * The consequence of a loss of entries in a partition: for a while new entries may have positions of earlier ones, and
 * be taken for handled ones. Their loss is not counted as a violation.
 */
export class LossWindow {
  readonly #time: VirtualTime;
  /** The highest position assigned before the loss. */
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
