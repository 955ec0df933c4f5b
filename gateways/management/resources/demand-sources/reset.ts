import Type from 'typebox';
import { dsp } from '#actors/dsp/dsp';
import { defineRoute } from '../../routing/route.ts';
import { DemandSourceParams, loadDemandSource } from './demand-source.ts';

const description = `Every edge closes its breaker within a second and calls the bidder again. If its latency is still bad, the breaker trips again within seconds.

Resetting a delegate, which has no breaker, is 200 and changes nothing for it.`;

export const resetDemandSource = defineRoute({
  method: 'POST',
  path: '/api/demand/sources/:id/reset',
  tag: 'Demand',
  operationId: 'resetDemandSource',
  summary: "Close a demand source's circuit breaker, whatever its state",
  description,
  access: 'account',
  params: DemandSourceParams,
  errors: ['CONFLICT'],
  answer: {
    status: 200,
    schema: Type.Object({ circuit_breaker: Type.Literal('closed'), message: Type.String() }),
  },
  async handle({ params: { id }, caller, identity, parts }) {
    const { mode } = await loadDemandSource(parts, id, caller);
    await parts.messenger.ask(dsp, id, 'reset-breaker', { scope: caller.scope }, { requestId: identity.askId() });
    const message =
      mode === 'delegate'
        ? 'A delegate has no circuit breaker; there was nothing to reset.'
        : 'The circuit breaker is reset. It trips again if the bidder is still slow or failing.';
    return { circuit_breaker: 'closed' as const, message };
  },
});
