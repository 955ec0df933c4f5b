/** Hashes all events in order: two runs of one seed must end with the same hash. Lines go to `print` when it is set. */
export class Trace {
  readonly #print: ((line: string) => void) | undefined;
  #hash = 0x811c9dc5;

  constructor(print?: (line: string) => void) {
    this.#print = print;
  }

  add(atMs: number, label: string): void {
    let hash = Math.imul(this.#hash ^ Math.floor(atMs * 1000), 0x01000193);
    for (let index = 0; index < label.length; index += 1) {
      hash = Math.imul(hash ^ label.charCodeAt(index), 0x01000193);
    }
    this.#hash = hash;
    this.#print?.(`${atMs.toFixed(3).padStart(12)} ${label}`);
  }

  /** Adds a line that is only built when lines are printed. */
  note(atMs: number, line: () => string): void {
    this.#print?.(`${atMs.toFixed(3).padStart(12)}   ${line()}`);
  }

  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }
}
