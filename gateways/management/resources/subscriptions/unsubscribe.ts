import { dsp } from '#actors/dsp/dsp';
import { defineRoute } from '../../routing/route.ts';
import { loadDemandSource } from '../demand-sources/demand-source.ts';
import { loadPool } from '../pools/pool.ts';
import { Subscription, SubscriptionParams } from './subscription.ts';

export const unsubscribe = defineRoute({
  method: 'DELETE',
  path: '/api/demand/sources/:id/pools/:pool_id',
  tag: 'Demand',
  operationId: 'unsubscribeFromPool',
  summary: "End a demand source's subscription to a pool; again changes nothing",
  description: 'The demand source gets no more requests from that pool within seconds.',
  access: 'account',
  params: SubscriptionParams,
  errors: ['CONFLICT'],
  answer: { status: 200, schema: Subscription },
  async handle({ params: { id, pool_id: poolId }, caller, identity, parts }) {
    await loadDemandSource(parts, id, caller);
    await loadPool(parts, poolId, caller);
    const { scope } = caller;
    await parts.messenger.ask(dsp, id, 'unsubscribe', { scope, poolId }, { requestId: identity.askId() });
    return { dsp_id: id, pool_id: poolId, subscribed: false };
  },
});
