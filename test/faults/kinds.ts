import type { AnyActorDefinition } from '../../runtime/actor/define-actor.ts';
import { account } from '../../runtime/simulator/workload/account.ts';
import { counter } from '../../runtime/simulator/workload/counter.ts';
import { sum } from '../../runtime/simulator/workload/sum.ts';

/** What the processes under test host: the simulator's own actors, whose states keep what was done to them. */
export const KINDS: readonly AnyActorDefinition[] = [account, counter, sum];
