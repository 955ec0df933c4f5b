import type { DspView } from '../../../actors/dsp/view.ts';
import type { DemandPart } from '../auction/read-replies.ts';

/**
 * The parts of a pool's delegates in an auction in which none of them has a campaign that matches: what nearly all of them come
 * to nearly always. Made once for as long as the pool has the same delegates; an auction replaces the others in its copy.
 */
export class UnmatchedParts {
  readonly parts: readonly DemandPart[];
  readonly #positions: ReadonlyMap<string, number>;

  constructor(delegates: readonly DspView[]) {
    this.parts = delegates.map((dsp) => ({ dsp, called: true, latencyMs: 0, offer: null, reason: 'no-match' }));
    this.#positions = new Map(delegates.map(({ id }, position) => [id, position]));
  }

  /** Of a delegate's part; undefined for one that is not of the pool. */
  positionOf(dspId: string): number | undefined {
    return this.#positions.get(dspId);
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
