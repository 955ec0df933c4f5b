import type { Clock } from '../../ports/clock.ts';
import { LogUnavailable } from '../../ports/errors.ts';

/** What appends leave free on the disk of the data folder, bytes. */
export const RESERVED_BYTES = 64 * 1024 * 1024;
/** For how long an answer of the system counts, ms. */
const ASKED_EVERY_MS = 100;

/**
 * Ends appends to the log before the disk is full. What was appended can then still be folded and trimmed, since saves
 * and leases use what is reserved; and lmdb meets no write that the disk refuses: such writes make it overwrite its own
 * memory (3.5), and the process may abort.
 */
export class DiskRoom {
  readonly #freeBytes: () => number;
  readonly #clock: Clock;
  #askedMs = Number.NEGATIVE_INFINITY;
  #isThere = true;

  constructor(freeBytes: () => number, clock: Clock) {
    this.#freeBytes = freeBytes;
    this.#clock = clock;
  }

  /** Whether the disk has more than what is reserved. */
  isThere(): boolean {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#askedMs < ASKED_EVERY_MS) return this.#isThere;
    this.#askedMs = nowMs;
    this.#isThere = this.#freeBytes() > RESERVED_BYTES;
    return this.#isThere;
  }

  /** Throws `LogUnavailable` when there is no room for an append. */
  check(): void {
    if (this.isThere()) return;
    throw new LogUnavailable(`the disk of the data folder has less than ${RESERVED_BYTES / 1024 / 1024} MB left`);
  }
}
