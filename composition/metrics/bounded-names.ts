/** The name that stands for all beyond the bound. */
const OTHER = 'other';

/**
 * Names as values of a label, so that no label has more than `most` values and {@link OTHER}. The first that come keep
 * their names while the process runs, so that no series ever changes its meaning.
 */
export class BoundedNames {
  readonly #most: number;
  readonly #known = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  of(name: string): string {
    if (this.#known.has(name)) return name;
    if (this.#known.size >= this.#most) return OTHER;
    this.#known.add(name);
    return name;
  }
}

/** The label of a demand source: bounded for those of live traffic and of the sandbox each. */
export type DspLabel = (dspId: string, sandbox: boolean) => string;

export function dspLabels(most: number): DspLabel {
  const [live, sandboxed] = [new BoundedNames(most), new BoundedNames(most)];
  return (dspId, sandbox) => (sandbox ? sandboxed : live).of(dspId);
}
