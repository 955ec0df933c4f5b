import { limitForKind, type Notice } from './notice.ts';

/** Memory of a notice beside its path, as characters. */
const OVERHEAD_CHARS = 200;

/** A bound of the memory that waiting notices may take; `within` is a larger quota that it is a part of. */
export class MemoryQuota {
  readonly #maxChars: number;
  readonly #parent: MemoryQuota | null;
  #taken = 0;

  constructor(maxChars: number, within: MemoryQuota | null = null) {
    this.#maxChars = maxChars;
    this.#parent = within;
  }

  /** Reserves memory for a notice; false when there is none left. Each reservation must be released once. */
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
