import type { DspView } from '../../actors/dsp/fields.ts';
import type { DemandPart } from '../demand-part.ts';

/**
 * The parts of a pool's delegates in an auction in which none of them has a campaign that matches: what nearly all of them come
 * to nearly always. Made once for as long as the pool has the same delegates; an auction says which of them came to something.
 */
export class UnmatchedParts {
  readonly delegateIds: readonly string[];
  readonly #parts: readonly DemandPart[];
  readonly #positions: ReadonlyMap<string, number>;

  constructor(delegates: readonly DspView[]) {
    this.delegateIds = delegates.map(({ id }) => id);
    this.#parts = delegates.map((dsp) => ({ dsp, called: true, latencyMs: 0, offer: null, reason: 'no-match' }));
    this.#positions = new Map(this.delegateIds.map((id, position) => [id, position]));
  }

  /** A delegate of the pool; undefined for another. */
  delegate(dspId: string): DspView | undefined {
    const position = this.#positions.get(dspId);
    return position === undefined ? undefined : this.#parts[position]!.dsp;
  }

  /** One part for each delegate: these, and of the others that none matched. */
  withSettled(settled: readonly DemandPart[]): DemandPart[] {
    const parts = this.#parts.slice();
    for (const part of settled) parts[this.#positions.get(part.dsp.id)!] = part;
    return parts;
  }
}

const known = new WeakMap<readonly DspView[], UnmatchedParts>();

/** Of a list that does not change any more. */
export function unmatchedParts(delegates: readonly DspView[]): UnmatchedParts {
  let parts = known.get(delegates);
  if (parts === undefined) {
    parts = new UnmatchedParts(delegates);
    known.set(delegates, parts);
  }
  return parts;
}
