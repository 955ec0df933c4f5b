import type { ContentCoding } from './channel.ts';

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
/** Lengths from here on are refused. Those that are not exact as numbers exceed every bound of a body. */
const LENGTH_LIMIT = 2 ** 64;

const HEAD_END = Buffer.from('\r\n\r\n');
const CR = 13;
const LF = 10;
const SP = 32;
const TAB = 9;
const ZERO = 48;
const COLON = 58;
const SEMICOLON = 59;
const EQUALS = 61;
const QUOTE = 34;
const BACKSLASH = 92;

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

/** The characters of a field's name (RFC 9110 §5.6.2). */
const TOKEN = tableOf((code) =>
  "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".includes(String.fromCharCode(code)),
);
/** The bytes of a field's value: visible characters, space, tab and obs-text (RFC 9110 §5.5). */
const FIELD_VALUE = tableOf((code) => code === TAB || (code >= SP && code !== 127));
/** The value of a hexadecimal digit, 255 for other bytes. */
const HEX_DIGIT = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? 255 : digit;
});

function tableOf(has: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (has(code) ? 1 : 0));
}

/**
 * Reads HTTP/1.x answers to POST requests, one after another, from pieces of any size (RFC 9112), and hands bodies over
 * where they lie in the read buffer. It is as strict as node:http, against which it is fuzzed
 * (test/gateways/bidders/channels/fuzz): a message that two readers could take differently is refused.
 */
export class ResponseParser {
  /** Whether the connection can be used again after this answer. */
  keepAlive = false;
  /** Seconds for which the other side says that it keeps an idle connection (`Keep-Alive: timeout=`); null: it does not say. */
  keepAliveSeconds: number | null = null;
  /** Position behind the last byte that belongs to the answer, in the bytes of the last `read`. */
  end = 0;

  #at: At = At.HEAD;
  /** The received part of a head or of trailers that is not complete; null where nothing is held. */
  #held: Buffer | null = null;
  /** Bytes of the body, or of the chunk, that are still to come. */
  #left = 0;
  #hasSize = false;
  #extensionBytes = 0;

  #status = 0;
  #coding: ContentCoding = 'identity';
  #isVersion11 = false;
  #contentLength = -1;
  #hasTransferEncoding = false;
  #isChunked = false;
  #saysClose = false;
  #saysKeepAlive = false;

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
          if (this.#status < 200) {
            // Nobody has asked for another protocol, and what ends its connection has no answer to come.
            if (this.#status < 100 || this.#status === 101 || !this.#isKept) return Progress.BROKEN;
            continue;
          }
          this.#chooseBody();
          sink.head(this.#status, this.#coding);
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
    const read = isTrailers ? this.#readFields(block, from, blockEnd - 2) : this.#readHead(block, from, blockEnd - 2);
    if (!read || block[blockEnd - 1] !== LF) return -2;
    return block === bytes ? blockEnd : start + blockEnd - heldBytes;
  }

  /** `to`: behind the line end of the last field. */
  #readHead(bytes: Buffer, from: number, to: number): boolean {
    this.#coding = 'identity';
    this.#contentLength = -1;
    this.#hasTransferEncoding = false;
    this.#isChunked = false;
    this.#saysClose = false;
    this.#saysKeepAlive = false;
    this.keepAliveSeconds = null;
    // HTTP/1.1 200 …
    if (to - from < 14 || bytes[from] !== 72 || bytes[from + 1] !== 84 || bytes[from + 2] !== 84) return false;
    if (bytes[from + 3] !== 80 || bytes[from + 4] !== 47 || bytes[from + 6] !== 46 || bytes[from + 8] !== SP)
      return false;
    const [major, minor] = [bytes[from + 5]! - ZERO, bytes[from + 7]! - ZERO];
    const isKnown =
      major === 1 ? minor === 1 || minor === 0 : (major === 2 && minor === 0) || (major === 0 && minor === 9);
    if (!isKnown) return false;
    this.#isVersion11 = major === 1 && minor === 1;
    const [hundreds, tens, ones] = [bytes[from + 9]! - ZERO, bytes[from + 10]! - ZERO, bytes[from + 11]! - ZERO];
    if (hundreds < 0 || hundreds > 9 || tens < 0 || tens > 9 || ones < 0 || ones > 9) return false;
    this.#status = hundreds * 100 + tens * 10 + ones;
    let at = from + 12;
    if (bytes[at] !== SP && bytes[at] !== CR) return false;
    while (bytes[at] !== CR) {
      if (bytes[at] === LF) return false;
      at++;
    }
    if (bytes[at + 1] !== LF) return false;
    return this.#readFields(bytes, at + 2, to);
  }

  /** Reads the lines `name: value` between `from` and `to`, each with its line end. */
  #readFields(bytes: Buffer, from: number, to: number): boolean {
    let at = from;
    while (at < to) {
      const nameAt = at;
      while (TOKEN[bytes[at]!] === 1) at++;
      if (bytes[at] !== COLON || at === nameAt) return false;
      const nameLength = at - nameAt;
      at++;
      while (bytes[at] === SP || bytes[at] === TAB) at++;
      const valueAt = at;
      while (FIELD_VALUE[bytes[at]!] === 1) at++;
      if (bytes[at] !== CR || bytes[at + 1] !== LF) return false;
      let valueEnd = at;
      while (valueEnd > valueAt && bytes[valueEnd - 1] === SP) valueEnd--;
      at += 2;
      if (!this.#readField(bytes, nameAt, nameLength, valueAt, valueEnd)) return false;
    }
    return at === to;
  }

  /** Takes in a field that this client follows; others pass. */
  #readField(bytes: Buffer, nameAt: number, nameLength: number, valueAt: number, valueEnd: number): boolean {
    switch (nameLength) {
      case 10:
        if (hasText(bytes, nameAt, 'connection')) this.#readConnection(bytes, valueAt, valueEnd);
        else if (hasText(bytes, nameAt, 'keep-alive'))
          this.keepAliveSeconds = timeoutIn(bytes.toString('latin1', valueAt, valueEnd));
        return true;
      case 14:
        return !hasText(bytes, nameAt, 'content-length') || this.#readContentLength(bytes, valueAt, valueEnd);
      case 16:
        if (hasText(bytes, nameAt, 'content-encoding')) this.#readCoding(bytes.toString('latin1', valueAt, valueEnd));
        return true;
      case 17:
        return !hasText(bytes, nameAt, 'transfer-encoding') || this.#readTransferEncoding(bytes, valueAt, valueEnd);
      default:
        return true;
    }
  }

  #readConnection(bytes: Buffer, from: number, to: number): void {
    for (const option of bytes.toString('latin1', from, to).toLowerCase().split(',')) {
      const said = option.trim();
      if (said === 'close') this.#saysClose = true;
      else if (said === 'keep-alive') this.#saysKeepAlive = true;
    }
  }

  /** A second length, or one beside a transfer coding, is how answers are smuggled (RFC 9112 §6.3): refused. */
  #readContentLength(bytes: Buffer, from: number, to: number): boolean {
    if (this.#contentLength >= 0 || this.#hasTransferEncoding || to === from) return false;
    let length = 0;
    for (let at = from; at < to; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) return false;
      length = length * 10 + digit;
    }
    if (length >= LENGTH_LIMIT) return false;
    this.#contentLength = length;
    return true;
  }

  #readTransferEncoding(bytes: Buffer, from: number, to: number): boolean {
    if (this.#contentLength >= 0) return false;
    const codings = bytes.toString('latin1', from, to).toLowerCase();
    this.#hasTransferEncoding = true;
    this.#isChunked = codings.slice(codings.lastIndexOf(',') + 1).trimStart() === 'chunked';
    return true;
  }

  #readCoding(value: string): void {
    const coding = value.toLowerCase();
    if (coding === 'gzip' || coding === 'x-gzip') this.#coding = this.#coding === 'unknown' ? 'unknown' : 'gzip';
    else if (coding !== 'identity' && coding !== '') this.#coding = 'unknown';
  }

  /** Whether the head says that the connection goes on after its message. */
  get #isKept(): boolean {
    return !this.#saysClose && (this.#isVersion11 || this.#saysKeepAlive);
  }

  /** Decides how the body ends (RFC 9112 §6.3), and whether the connection outlives it (§9.3). */
  #chooseBody(): void {
    this.keepAlive = this.#isKept;
    if (this.#status === 204 || this.#status === 304) this.#at = At.COMPLETE;
    else if (this.#isChunked) {
      this.#at = At.CHUNK_SIZE;
      this.#left = 0;
      this.#hasSize = false;
    } else if (this.#contentLength >= 0) {
      this.#left = this.#contentLength;
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

/** The position behind the empty line that ends a head or trailers; trailers may be that line alone. -1: not there yet. */
function endOfBlock(bytes: Buffer, from: number, to: number, isTrailers: boolean): number {
  if (isTrailers && bytes[from] === CR && to - from >= 2) return from + 2;
  const found = bytes.indexOf(HEAD_END, from);
  return found < 0 || found + 4 > to ? -1 : found + 4;
}

/** Whether the bytes at `at` are `lowercase`, in either case. Letters and hyphens only. */
function hasText(bytes: Buffer, at: number, lowercase: string): boolean {
  for (let index = 0; index < lowercase.length; index++)
    if ((bytes[at + index]! | 0x20) !== lowercase.charCodeAt(index)) return false;
  return true;
}

/** `timeout=5, max=100` → 5; null where there is none. */
function timeoutIn(keepAlive: string): number | null {
  for (const parameter of keepAlive.split(',')) {
    const [name, value] = parameter.split('=');
    if (name!.trim().toLowerCase() !== 'timeout') continue;
    const seconds = Number.parseInt(value ?? '', 10);
    return Number.isNaN(seconds) ? null : seconds;
  }
  return null;
}
