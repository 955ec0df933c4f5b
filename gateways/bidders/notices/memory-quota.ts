import { limitForKind, type Notice } from './notice.ts';

/** What a notice takes beside its path, as characters. */
const OVERHEAD_CHARS = 200;

/** A share of the memory that waiting notices may take; `within` a larger one, of which it is a part. */
export class MemoryQuota {
  readonly #maxChars: number;
  readonly #parent: MemoryQuota | null;
  #taken = 0;

  constructor(maxChars: number, within: MemoryQuota | null = null) {
    this.#maxChars = maxChars;
    this.#parent = within;
  }

  /** False when there is none left. Whoever was let in must `leave` once. */
  reserve(notice: Notice): boolean {
    const chars = notice.path.length + OVERHEAD_CHARS;
    if (this.#taken + chars > limitForKind(this.#maxChars, notice.kind) || this.#parent?.reserve(notice) === false)
      return false;
    this.#taken += chars;
    return true;
  }

  release(notice: Notice): void {
    this.#taken -= notice.path.length + OVERHEAD_CHARS;
    this.#parent?.release(notice);
  }
}
