/** A violated invariant. */
export interface Violation {
  /** The name of the invariant, in one or two words. */
  readonly invariant: string;
  readonly what: string;
  /** ms since the start of the run. */
  readonly atMs: number;
}

const KEPT = 50;

/** Collects the violations that the checkers find. */
export class Violations {
  readonly found: Violation[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  add(invariant: string, what: string): void {
    if (this.found.length < KEPT) this.found.push({ invariant, what, atMs: Math.round(this.#nowMs()) });
  }

  get any(): boolean {
    return this.found.length > 0;
  }
}
