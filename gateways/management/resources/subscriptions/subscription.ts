import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';

export const SubscriptionParams = Type.Object({ id: Uuid, pool_id: Uuid });

/** Whether the demand source takes the pool's traffic now. */
export const Subscription = Type.Object({ dsp_id: Uuid, pool_id: Uuid, subscribed: Type.Boolean() });
