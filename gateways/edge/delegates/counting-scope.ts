import type { DspView } from '../../../actors/dsp/fields.ts';
import type { Replica } from '../../../runtime/actor/replica.ts';

/**
 * Names the environment in which a demand source's money and viewings are counted, '' for live. The sandbox's are counted apart, and
 * anew after each reset (see sandbox-generation.ts).
 */
export function countingScopes(replica: Replica): (dspId: string) => string {
  return (dspId) => {
    const dsp = replica.get<DspView>('dsp', dspId);
    return dsp?.status === 'sandbox' ? `sandbox-${dsp.sandboxGeneration}/` : '';
  };
}
