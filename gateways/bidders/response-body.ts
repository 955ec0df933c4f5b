import { gunzipSync } from 'node:zlib';
import type { ContentCoding } from './channels/channel.ts';

/** The document of an answer, or the reason why it cannot be read. */
export type BodyReading =
  | { readonly document: unknown }
  | { readonly reason: 'response-too-large' | 'malformed-response'; readonly detail: string };

/** Collects the body of one answer, bounded before and after decompression, and parses it as JSON. */
export class ResponseBody {
  coding: ContentCoding = 'identity';
  readonly #maxBytes: number;
  /** The parts so far, one behind the other: a bidder may send each byte in a part of its own. */
  #kept: Buffer | null = null;
  #keptBytes = 0;
  /** The part that ends the body, where it was read; only until the channel's report of it ends. */
  #last: Buffer | null = null;
  #lastStart = 0;
  #lastEnd = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Adds the part of `bytes` from `start` to `end`, and copies it unless it is the last, which is to be read by `parse`
   * or `text` before `bytes` are used again. False beyond the bound: the rest is not needed.
   */
  add(bytes: Buffer, start: number, end: number, isLast: boolean): boolean {
    this.#bytes += end - start;
    if (this.#bytes > this.#maxBytes) return false;
    if (isLast && this.#kept === null) {
      this.#last = bytes;
      this.#lastStart = start;
      this.#lastEnd = end;
    } else this.#keep(bytes, start, end);
    return true;
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    if (this.#kept === null || this.#kept.length < this.#bytes) {
      const larger = Buffer.allocUnsafe(Math.min(2 * this.#bytes, this.#maxBytes));
      this.#kept?.copy(larger, 0, 0, this.#keptBytes);
      this.#kept = larger;
    }
    this.#keptBytes += bytes.copy(this.#kept, this.#keptBytes, start, end);
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** The body within the bound, as text; null when its coding is unknown or broken. */
  text(): string | null {
    if (this.coding === 'unknown') return null;
    try {
      return this.#text();
    } catch {
      return null;
    }
  }

  parse(): BodyReading {
    if (this.coding === 'unknown') return malformed('a content-encoding that was not offered');
    let text: string;
    try {
      text = this.#text();
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
        ? { reason: 'response-too-large', detail: 'larger than the bound when decompressed' }
        : malformed('not the gzip that it says it is');
    }
    try {
      return { document: JSON.parse(text) };
    } catch {
      return malformed('not JSON');
    }
  }

  /** Throws when the bytes are no gzip, or grow beyond the bound. */
  #text(): string {
    if (this.#last !== null && this.coding === 'identity')
      return this.#last.toString('utf8', this.#lastStart, this.#lastEnd);
    const bytes = this.#last?.subarray(this.#lastStart, this.#lastEnd) ?? this.#kept?.subarray(0, this.#keptBytes);
    if (bytes === undefined || bytes.length === 0) return '';
    if (this.coding === 'identity') return bytes.toString();
    // The bound keeps this at a fraction of a millisecond, less than a round trip through the thread pool.
    return gunzipSync(bytes, { maxOutputLength: this.#maxBytes }).toString();
  }
}

function malformed(detail: string): BodyReading {
  return { reason: 'malformed-response', detail };
}
