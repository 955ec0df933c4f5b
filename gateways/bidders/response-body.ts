import { gunzipSync } from 'node:zlib';

/** The document of an answer, or the reason why it cannot be read. */
export type BodyReading =
  | { readonly document: unknown }
  | { readonly reason: 'response-too-large' | 'malformed-response'; readonly detail: string };

/** Collects the body of one answer, bounded before and after decompression, and parses it as JSON. */
export class ResponseBody {
  readonly #maxBytes: number;
  #first: Buffer | null = null;
  #rest: Buffer[] | null = null;
  #bytes = 0;
  #gzip = false;
  #unknownCoding = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** `headers`: name, value, name, value …, as received. */
  readHeaders(headers: readonly Buffer[]): void {
    for (let i = 0; i + 1 < headers.length; i += 2) {
      const name = headers[i]!;
      if (name.length !== 16 || name.toString('latin1').toLowerCase() !== 'content-encoding') continue;
      const coding = headers[i + 1]!.toString('latin1').trim().toLowerCase();
      if (coding === 'gzip' || coding === 'x-gzip') this.#gzip = true;
      else if (coding !== 'identity' && coding !== '') this.#unknownCoding = true;
    }
  }

  /** Adds a chunk; false beyond the bound: the rest is not needed. */
  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) return false;
    if (this.#first === null) this.#first = chunk;
    else {
      this.#rest ??= [this.#first];
      this.#rest.push(chunk);
    }
    return true;
  }

  get empty(): boolean {
    return this.#bytes === 0;
  }

  /** The body within the bound, as text; null when its coding is unknown or broken. */
  text(): string | null {
    if (this.#first === null) return '';
    if (this.#unknownCoding) return null;
    try {
      return this.#decoded(Buffer.concat(this.#rest ?? [this.#first])).toString();
    } catch {
      return null;
    }
  }

  parse(): BodyReading {
    if (this.#unknownCoding) return malformed('a content-encoding that was not offered');
    let bytes: Buffer;
    try {
      bytes = this.#decoded(this.#rest === null ? this.#first! : Buffer.concat(this.#rest, this.#bytes));
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
        ? { reason: 'response-too-large', detail: 'larger than the bound when decompressed' }
        : malformed('not the gzip that it says it is');
    }
    try {
      return { document: JSON.parse(bytes.toString()) };
    } catch {
      return malformed('not JSON');
    }
  }

  /** Throws when the bytes are no gzip, or grow beyond the bound. */
  #decoded(bytes: Buffer): Buffer {
    // The bound keeps this at a fraction of a millisecond, less than a round trip through the thread pool.
    return this.#gzip ? gunzipSync(bytes, { maxOutputLength: this.#maxBytes }) : bytes;
  }
}

function malformed(detail: string): BodyReading {
  return { reason: 'malformed-response', detail };
}
