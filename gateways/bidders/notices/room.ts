import { type Notice, shareOf } from './notice.ts';

/** What a notice takes beside its path, as characters. */
const OVERHEAD_CHARS = 200;

/** A share of the memory that waiting notices may take; `within` a larger one, of which it is a part. */
export class Room {
  readonly #maxChars: number;
  readonly #within: Room | null;
  #taken = 0;

  constructor(maxChars: number, within: Room | null = null) {
    this.#maxChars = maxChars;
    this.#within = within;
  }

  /** False when there is none left. Whoever was let in must `leave` once. */
  enter(notice: Notice): boolean {
    const chars = notice.path.length + OVERHEAD_CHARS;
    if (this.#taken + chars > shareOf(this.#maxChars, notice.kind) || this.#within?.enter(notice) === false)
      return false;
    this.#taken += chars;
    return true;
  }

  leave(notice: Notice): void {
    this.#taken -= notice.path.length + OVERHEAD_CHARS;
    this.#within?.leave(notice);
  }
}
