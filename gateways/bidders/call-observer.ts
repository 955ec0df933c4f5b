import type { DspProjection } from '../../actors/dsp/fields.ts';

/** How a call of a bidder ended. `failed`: the answer could not be used, or none came. */
export type CallEnd = 'answered' | 'no_bid' | 'timeout' | 'failed';

/**
 * Takes note of a call that was sent; `latencyMs` is from its first byte on the wire. Called for each, so it is quick.
 */
export type ObserveCall = (end: CallEnd, latencyMs: number) => void;

export interface CallObserver {
  /** Begins to observe the calls of a bidder. */
  begin(dsp: DspProjection): ObserveCall;
}
