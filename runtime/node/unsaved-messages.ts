import type { LogMessage } from './bundle.ts';

/** So many messages are kept as they are. */
const FEW = 16;
const FIRST_BYTES = 16_384;
/** A buffer that is not larger than this serves again after a save. */
const KEPT_BYTES = 131_072;
/** UTF-8 takes at most this many bytes for a character of a string. */
const MOST_BYTES_OF_CHARACTER = 3;

/**
 * The messages of one actor that the next save covers, which are needed only where its state can never be stored. A
 * lazy actor holds all of a second or more. As objects they would outlive the young generation and be copied twice
 * before they die, so from some number on they are lines of text outside V8's heap: position, place in the entry,
 * payload. No payload has a line break (bundle.ts).
 */
export class UnsavedMessages {
  #few: LogMessage[] = [];
  #packed: Buffer | null = null;
  #packedBytes = 0;
  #characters = 0;

  /** The number of characters of all payloads. */
  get characters(): number {
    return this.#characters;
  }

  add(message: LogMessage): void {
    this.#characters += message.payload.length;
    if (this.#few.length < FEW) {
      this.#few.push(message);
      return;
    }
    const line = `${message.position} ${message.index} ${message.payload}\n`;
    this.#packedBytes += this.#withRoomFor(line.length * MOST_BYTES_OF_CHARACTER).write(line, this.#packedBytes);
  }

  /** All of them, in their order. */
  all(): LogMessage[] {
    if (this.#packed === null) return this.#few;
    const lines = this.#packed.toString('utf8', 0, this.#packedBytes).split('\n').slice(0, -1);
    return [...this.#few, ...lines.map(parsed)];
  }

  clear(): void {
    this.#few = [];
    this.#packedBytes = 0;
    this.#characters = 0;
    if (this.#packed !== null && this.#packed.length > KEPT_BYTES) this.#packed = null;
  }

  #withRoomFor(bytes: number): Buffer {
    const needed = this.#packedBytes + bytes;
    if (this.#packed !== null && needed <= this.#packed.length) return this.#packed;
    const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 ** Math.ceil(Math.log2(needed))));
    this.#packed?.copy(larger, 0, 0, this.#packedBytes);
    this.#packed = larger;
    return larger;
  }
}

function parsed(line: string): LogMessage {
  const positionEnd = line.indexOf(' ');
  const indexEnd = line.indexOf(' ', positionEnd + 1);
  return {
    position: line.slice(0, positionEnd),
    index: Number(line.slice(positionEnd + 1, indexEnd)),
    payload: line.slice(indexEnd + 1),
  };
}
