/**
 * Number of evaluations of a pool's delegates, all together, since the last flush. In nearly every auction nearly no
 * delegate has a matching campaign. One addition for the pool costs an auction of fifty delegates a fortieth less CPU
 * than three additions for each delegate.
 */
export class PoolEvaluations {
  #times = 0;
  /** Evaluations with another result than "no campaign matched", by DSP id. They are counted separately. */
  readonly #settled = new Map<string, number>();

  /** Adds one evaluation of the pool. `settled`: delegates with a matching campaign. */
  add(settled: readonly { readonly dsp: { readonly id: string } }[]): void {
    this.#times += 1;
    for (const { dsp } of settled) this.#settled.set(dsp.id, (this.#settled.get(dsp.id) ?? 0) + 1);
  }

  /** Number of evaluations of a delegate in which none of its campaigns matched. */
  unmatched(dspId: string): number {
    return this.#times - (this.#settled.get(dspId) ?? 0);
  }
}
