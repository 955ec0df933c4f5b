import { listSubscriptions } from './list.ts';
import { subscribe } from './subscribe.ts';
import { unsubscribe } from './unsubscribe.ts';

export const subscriptionRoutes = [listSubscriptions, subscribe, unsubscribe];
