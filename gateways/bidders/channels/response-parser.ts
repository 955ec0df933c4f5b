import { BACKSLASH, CR, EQUALS, FIELD_VALUE, LF, QUOTE, SEMICOLON, TOKEN } from './bytes.ts';
import type { ContentCoding } from './channel.ts';
import { LENGTH_LIMIT, ResponseHead } from './response-head.ts';

/** Where a parser hands an answer to; see `ChannelCall`. */
export interface ResponseSink {
  head(status: number, coding: ContentCoding): void;
  body(bytes: Buffer, start: number, end: number, isLast: boolean): boolean;
}

/** What a read has led to. */
export const Progress = {
  /** The answer goes on. */
  MORE: 0,
  /** The answer is complete; bytes may be left. */
  COMPLETE: 1,
  /** The sink wants no more. */
  UNWANTED: 2,
  /** These bytes are no HTTP answer, or one past the bounds. */
  BROKEN: 3,
} as const;
export type Progress = (typeof Progress)[keyof typeof Progress];

/** Most bytes of a status line and its fields, and of the trailers; the bound of node:http. */
const MAX_HEAD_BYTES = 16 * 1024;
/** Most bytes of chunk extensions in one answer. */
const MAX_EXTENSION_BYTES = 16 * 1024;

const HEAD_END = Buffer.from('\r\n\r\n');

/** Where in an answer the next byte belongs. */
const At = {
  HEAD: 0,
  SIZED_BODY: 1,
  BODY_UNTIL_CLOSE: 2,
  CHUNK_SIZE: 3,
  EXTENSION_START: 4,
  EXTENSION_NAME: 5,
  EXTENSION_VALUE: 6,
  EXTENSION_QUOTED: 7,
  EXTENSION_ESCAPED: 8,
  EXTENSION_QUOTED_END: 9,
  CHUNK_SIZE_LF: 10,
  CHUNK_DATA: 11,
  CHUNK_DATA_CR: 12,
  CHUNK_DATA_LF: 13,
  TRAILERS: 14,
  COMPLETE: 15,
} as const;
type At = (typeof At)[keyof typeof At];

/** The value of a hexadecimal digit, 255 for other bytes. */
const HEX_DIGIT = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? 255 : digit;
});

/**
 * Reads HTTP/1.x answers to POST requests, one after another, from pieces of any size (RFC 9112), and hands bodies over
 * where they lie in the read buffer. It is as strict as node:http, against which it is fuzzed
 * (test/fuzz/readers/http-answer.ts): a message that two readers could take differently is refused.
 */
export class ResponseParser {
  /** Whether the connection can be used again after this answer. */
  keepAlive = false;
  /** Position behind the last byte that belongs to the answer, in the bytes of the last `read`. */
  end = 0;

  readonly #head = new ResponseHead();
  #at: At = At.HEAD;
  /** The received part of a head or of trailers that is not complete; null where nothing is held. */
  #held: Buffer | null = null;
  /** Bytes of the body, or of the chunk, that are still to come. */
  #left = 0;
  #hasSize = false;
  #extensionBytes = 0;

  /** See `ResponseHead`. */
  get keepAliveSeconds(): number | null {
    return this.#head.keepAliveSeconds;
  }

  /** Prepares for the next answer. */
  begin(): void {
    this.#at = At.HEAD;
    this.#held = null;
    this.#extensionBytes = 0;
  }

  /** Reads `bytes` from `start` to `end`. After anything but `MORE` the parser reads no more until `begin`. */
  read(bytes: Buffer, start: number, end: number, sink: ResponseSink): Progress {
    let at = start;
    while (at < end) {
      switch (this.#at) {
        case At.HEAD: {
          const next = this.#readBlock(bytes, at, end, false);
          if (next < 0) return next === -1 ? Progress.MORE : Progress.BROKEN;
          at = next;
          if (this.#head.status < 200) {
            // Nobody has asked for another protocol, and what ends its connection has no answer to come.
            if (this.#head.status < 100 || this.#head.status === 101 || !this.#head.isKept) return Progress.BROKEN;
            continue;
          }
          this.#chooseBody();
          sink.head(this.#head.status, this.#head.coding);
          if ((this.#at as At) === At.COMPLETE) return this.#complete(at);
          break;
        }
        case At.SIZED_BODY: {
          const available = end - at;
          if (available >= this.#left) {
            at += this.#left;
            if (!sink.body(bytes, at - this.#left, at, true)) return Progress.UNWANTED;
            return this.#complete(at);
          }
          this.#left -= available;
          return sink.body(bytes, at, end, false) ? Progress.MORE : Progress.UNWANTED;
        }
        case At.BODY_UNTIL_CLOSE:
          return sink.body(bytes, at, end, false) ? Progress.MORE : Progress.UNWANTED;
        case At.CHUNK_DATA: {
          const upTo = Math.min(end, at + this.#left);
          this.#left -= upTo - at;
          if (!sink.body(bytes, at, upTo, false)) return Progress.UNWANTED;
          at = upTo;
          if (this.#left === 0) this.#at = At.CHUNK_DATA_CR;
          break;
        }
        case At.TRAILERS: {
          const next = this.#readBlock(bytes, at, end, true);
          if (next < 0) return next === -1 ? Progress.MORE : Progress.BROKEN;
          return this.#complete(next);
        }
        case At.COMPLETE:
          return Progress.BROKEN;
        default:
          if (!this.#readChunkLine(bytes[at]!)) return Progress.BROKEN;
          at++;
      }
    }
    return Progress.MORE;
  }

  /** The other side has ended the connection: whether that completes the answer. */
  finish(): boolean {
    return this.#at === At.BODY_UNTIL_CLOSE;
  }

  #complete(end: number): Progress {
    this.#at = At.COMPLETE;
    this.end = end;
    return Progress.COMPLETE;
  }

  /**
   * Reads a head, or trailers, once they are complete; what is not is held. Returns the position behind it, -1 where
   * more is needed, -2 where it is broken.
   */
  #readBlock(bytes: Buffer, start: number, end: number, isTrailers: boolean): number {
    let block = bytes;
    let from = start;
    let to = end;
    let heldBytes = 0;
    if (this.#held !== null) {
      heldBytes = this.#held.length;
      block = Buffer.concat([this.#held, bytes.subarray(start, end)]);
      from = 0;
      to = block.length;
    }
    if (!isTrailers) while (from < to && (block[from] === CR || block[from] === LF)) from++;
    const blockEnd = endOfBlock(block, from, to, isTrailers);
    if ((blockEnd < 0 ? to : blockEnd) - from > MAX_HEAD_BYTES) return -2;
    if (blockEnd < 0) {
      this.#held = block === bytes ? Buffer.from(bytes.subarray(from, to)) : block.subarray(from, to);
      return -1;
    }
    this.#held = null;
    const isRead = isTrailers
      ? this.#head.readFields(block, from, blockEnd - 2)
      : this.#head.read(block, from, blockEnd - 2);
    if (!isRead || block[blockEnd - 1] !== LF) return -2;
    return block === bytes ? blockEnd : start + blockEnd - heldBytes;
  }

  /** Decides how the body ends (RFC 9112 §6.3), and whether the connection outlives it (§9.3). */
  #chooseBody(): void {
    this.keepAlive = this.#head.isKept;
    if (this.#head.status === 204 || this.#head.status === 304) this.#at = At.COMPLETE;
    else if (this.#head.isChunked) {
      this.#at = At.CHUNK_SIZE;
      this.#left = 0;
      this.#hasSize = false;
    } else if (this.#head.contentLength >= 0) {
      this.#left = this.#head.contentLength;
      this.#at = this.#left === 0 ? At.COMPLETE : At.SIZED_BODY;
    } else {
      this.keepAlive = false;
      this.#at = At.BODY_UNTIL_CLOSE;
    }
  }

  /** Reads one byte of a line with a chunk's size (RFC 9112 §7.1), or of the line end behind its data. */
  #readChunkLine(byte: number): boolean {
    switch (this.#at) {
      case At.CHUNK_SIZE: {
        const digit = HEX_DIGIT[byte]!;
        if (digit < 16) {
          this.#left = this.#left * 16 + digit;
          this.#hasSize = true;
          return this.#left < LENGTH_LIMIT;
        }
        if (!this.#hasSize) return false;
        return this.#endSizeOrExtension(byte);
      }
      case At.EXTENSION_START:
        return byte !== CR && this.#readExtensionName(byte);
      case At.EXTENSION_NAME:
        return this.#readExtensionName(byte);
      case At.EXTENSION_VALUE:
        if (byte === QUOTE) this.#at = At.EXTENSION_QUOTED;
        else if (TOKEN[byte] !== 1) return this.#endSizeOrExtension(byte);
        return this.#countExtension();
      case At.EXTENSION_QUOTED:
        if (byte === QUOTE) this.#at = At.EXTENSION_QUOTED_END;
        else if (byte === BACKSLASH) this.#at = At.EXTENSION_ESCAPED;
        else if (FIELD_VALUE[byte] !== 1) return false;
        return this.#countExtension();
      case At.EXTENSION_ESCAPED:
        this.#at = At.EXTENSION_QUOTED;
        return FIELD_VALUE[byte] === 1 && this.#countExtension();
      case At.EXTENSION_QUOTED_END:
        return this.#endSizeOrExtension(byte);
      case At.CHUNK_SIZE_LF:
        this.#at = this.#left === 0 ? At.TRAILERS : At.CHUNK_DATA;
        return byte === LF;
      case At.CHUNK_DATA_CR:
        this.#at = At.CHUNK_DATA_LF;
        return byte === CR;
      default:
        this.#at = At.CHUNK_SIZE;
        this.#left = 0;
        this.#hasSize = false;
        return byte === LF;
    }
  }

  #readExtensionName(byte: number): boolean {
    if (TOKEN[byte] !== 1 && byte !== EQUALS) return this.#endSizeOrExtension(byte);
    this.#at = byte === EQUALS ? At.EXTENSION_VALUE : At.EXTENSION_NAME;
    return this.#countExtension();
  }

  #endSizeOrExtension(byte: number): boolean {
    if (byte === CR) this.#at = At.CHUNK_SIZE_LF;
    else if (byte === SEMICOLON) this.#at = At.EXTENSION_START;
    else return false;
    return this.#countExtension();
  }

  #countExtension(): boolean {
    return ++this.#extensionBytes <= MAX_EXTENSION_BYTES;
  }
}

/**
 * The position behind the empty line that ends a head or trailers; trailers may be that line alone. -1: not there yet.
 */
function endOfBlock(bytes: Buffer, from: number, to: number, isTrailers: boolean): number {
  if (isTrailers && bytes[from] === CR && to - from >= 2) return from + 2;
  const found = bytes.indexOf(HEAD_END, from);
  return found < 0 || found + 4 > to ? -1 : found + 4;
}
