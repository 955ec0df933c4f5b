import { dsp } from '../actors/dsp/dsp.ts';
import type { DspProjection } from '../actors/dsp/fields.ts';
import type { Replica } from '../runtime/actor/replica.ts';

/**
 * Returns the name of the environment in which a demand source's money and impressions are counted, '' for live. Those
 * of the sandbox are counted apart, and anew after each reset (see sandbox-generation.ts).
 */
export function environmentScopes(replica: Replica): (dspId: string) => string {
  return (dspId) => {
    const demandSource = replica.get<DspProjection>(dsp.kind, dspId);
    return demandSource?.status === 'sandbox' ? `sandbox-${demandSource.sandboxGeneration}/` : '';
  };
}
