import type { DspView } from '../../../actors/dsp/view.ts';
import type { Replica } from '../../../runtime/actor/replica.ts';
import type { DspTerms } from './pace/shared-campaign-pace.ts';

const UNKNOWN: DspTerms = { dailyBudgetCents: 0, scope: '' };

/**
 * What demand sources are held to. The sandbox's money and viewings are counted apart from live ones, and anew after each reset
 * (see sandbox-generation.ts).
 */
export function dspTermsIn(replica: Replica): (dspId: string) => DspTerms {
  return (dspId) => {
    const dsp = replica.get<DspView>('dsp', dspId);
    if (dsp === undefined) return UNKNOWN;
    const { status, sandboxGeneration, dailyBudgetCents } = dsp;
    return { dailyBudgetCents, scope: status === 'sandbox' ? `sandbox-${sandboxGeneration}/` : '' };
  };
}
