const FIRST_BYTES = 1024;
/** The most bytes that a UTF-16 code unit takes in UTF-8. */
const MOST_BYTES_A_UNIT = 3;

/** Lines of text as bytes. Not as strings: those of many rows would keep the garbage collector busy. */
export class RowsBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  #rows = 0;

  get length(): number {
    return this.#length;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds a line. Returns the bytes that it takes. */
  add(row: string): number {
    const most = this.#length + MOST_BYTES_A_UNIT * row.length + 1;
    if (most > this.#bytes.length) this.#grow(most);
    const written = this.#bytes.write(row, this.#length);
    this.#bytes[this.#length + written] = 0x0a;
    this.#length += written + 1;
    this.#rows += 1;
    return written + 1;
  }

  /** The lines, which this buffer lets go of. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    this.#rows = 0;
    return taken;
  }

  #grow(atLeast: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, atLeast, 2 * this.#bytes.length));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
