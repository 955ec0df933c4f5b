import { dsp } from '#actors/dsp/dsp';
import { defineRoute } from '../../routing/route.ts';
import { loadDemandSource } from '../demand-sources/demand-source.ts';
import { loadPool } from '../pools/pool.ts';
import { Subscription, SubscriptionParams } from './subscription.ts';

export const subscribe = defineRoute({
  method: 'POST',
  path: '/api/demand/sources/:id/pools/:pool_id',
  tag: 'Demand',
  operationId: 'subscribeToPool',
  summary: "Subscribe a demand source to a pool's traffic; again changes nothing",
  description: 'Webhooks are told by `pool.dsp_joined`.',
  access: 'account',
  params: SubscriptionParams,
  errors: ['CONFLICT'],
  answer: { status: 200, schema: Subscription },
  async handle({ params: { id, pool_id: poolId }, caller, identity, parts }) {
    await loadDemandSource(parts, id, caller);
    await loadPool(parts, poolId, caller);
    const { scope } = caller;
    await parts.messenger.ask(dsp, id, 'subscribe', { scope, poolId }, { requestId: identity.askId() });
    return { dsp_id: id, pool_id: poolId, subscribed: true };
  },
});
