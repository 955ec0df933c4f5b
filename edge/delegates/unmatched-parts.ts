import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { DemandParticipation } from '../demand-part.ts';

/**
 * Participations of a pool's delegates in an auction in which none of their campaigns matches, which is what nearly all
 * delegates have in nearly all auctions. Made once for as long as the pool has the same delegates; an auction adds
 * those that matched.
 */
export class UnmatchedParticipations {
  readonly delegateIds: readonly string[];
  readonly #parts: readonly DemandParticipation[];
  readonly #positions: ReadonlyMap<string, number>;

  constructor(delegates: readonly DspProjection[]) {
    this.delegateIds = delegates.map(({ id }) => id);
    this.#parts = delegates.map((dsp) => ({ dsp, called: true, latencyMs: 0, offer: null, reason: 'no-match' }));
    this.#positions = new Map(this.delegateIds.map((id, position) => [id, position]));
  }

  /** A delegate of the pool; undefined for any other. */
  delegate(dspId: string): DspProjection | undefined {
    const position = this.#positions.get(dspId);
    return position === undefined ? undefined : this.#parts[position]!.dsp;
  }

  /** One participation for each delegate: the given ones, and "no campaign matched" for the others. */
  withMatched(settled: readonly DemandParticipation[]): DemandParticipation[] {
    const parts = this.#parts.slice();
    for (const part of settled) parts[this.#positions.get(part.dsp.id)!] = part;
    return parts;
  }
}

const participationsByPool = new WeakMap<readonly DspProjection[], UnmatchedParticipations>();

/** Cached by the array, which must not change any more. */
export function unmatchedParticipations(delegates: readonly DspProjection[]): UnmatchedParticipations {
  let parts = participationsByPool.get(delegates);
  if (parts === undefined) {
    parts = new UnmatchedParticipations(delegates);
    participationsByPool.set(delegates, parts);
  }
  return parts;
}
