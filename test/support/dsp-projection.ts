import type { DspProjection } from '../../actors/dsp/fields.ts';

/** The projection of a live bidder of `pool-1`, with the given fields. */
export function makeDspProjection(
  fields: Partial<DspProjection> & { readonly endpointUrl: string | null },
): DspProjection {
  return {
    id: 'dsp-1',
    accountId: 'account-1',
    partnerId: null,
    name: 'A bidder',
    mode: 'rtb',
    status: 'active',
    timeoutMs: 150,
    openrtbVersion: '2.6',
    poolIds: ['pool-1'],
    dailyBudgetCents: 0,
    limitedSinceMs: 0,
    revision: 1,
    healthResets: 0,
    sandboxGeneration: 0,
    qpsLimit: 10_000,
    breakerResets: 0,
    ...fields,
  };
}
