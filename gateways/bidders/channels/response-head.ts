import { COLON, CR, FIELD_VALUE, LF, SP, TAB, TOKEN, ZERO } from './bytes.ts';
import { type ContentCoding, withCoding } from './channel.ts';

/** Lengths from here on are refused. Those that are not exact as numbers exceed every bound of a body. */
export const LENGTH_LIMIT = 2 ** 64;

/** The head of an answer: its status and what its fields say of its body and of the connection (RFC 9112 §4, §5). */
export class ResponseHead {
  status = 0;
  coding: ContentCoding = 'identity';
  /** The stated length; negative where there is none. */
  contentLength = -1;
  isChunked = false;
  /**
   * Seconds for which the other side says that it keeps an idle connection (`Keep-Alive: timeout=`); null: it does not
   * say.
   */
  keepAliveSeconds: number | null = null;

  #isVersion11 = false;
  #hasTransferEncoding = false;
  #saysClose = false;
  #saysKeepAlive = false;

  /** Reads a status line and its fields; false where they are none. `to`: behind the line end of the last field. */
  read(bytes: Buffer, from: number, to: number): boolean {
    this.coding = 'identity';
    this.contentLength = -1;
    this.#hasTransferEncoding = false;
    this.isChunked = false;
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
    this.status = hundreds * 100 + tens * 10 + ones;
    let at = from + 12;
    if (bytes[at] !== SP && bytes[at] !== CR) return false;
    while (bytes[at] !== CR) {
      if (bytes[at] === LF) return false;
      at++;
    }
    if (bytes[at + 1] !== LF) return false;
    return this.readFields(bytes, at + 2, to);
  }

  /** Reads the lines `name: value` between `from` and `to`, each with its line end. */
  readFields(bytes: Buffer, from: number, to: number): boolean {
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
        if (hasText(bytes, nameAt, 'content-encoding'))
          this.coding = withCoding(this.coding, bytes.toString('latin1', valueAt, valueEnd));
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
    if (this.contentLength >= 0 || this.#hasTransferEncoding || to === from) return false;
    let length = 0;
    for (let at = from; at < to; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) return false;
      length = length * 10 + digit;
    }
    if (length >= LENGTH_LIMIT) return false;
    this.contentLength = length;
    return true;
  }

  #readTransferEncoding(bytes: Buffer, from: number, to: number): boolean {
    if (this.contentLength >= 0) return false;
    const codings = bytes.toString('latin1', from, to).toLowerCase();
    this.#hasTransferEncoding = true;
    this.isChunked = codings.slice(codings.lastIndexOf(',') + 1).trimStart() === 'chunked';
    return true;
  }

  /** Whether the head says that the connection goes on after its message. */
  get isKept(): boolean {
    return !this.#saysClose && (this.#isVersion11 || this.#saysKeepAlive);
  }
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
