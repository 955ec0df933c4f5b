import type { AnyActorDefinition } from '../../actor/define-actor.ts';
import { account } from './account.ts';
import { counter } from './counter.ts';
import { diary } from './diary.ts';
import { archive, session } from './session.ts';
import { sum } from './sum.ts';

/** The kinds of actors that live in a simulated cluster. */
export const WORKLOAD: readonly AnyActorDefinition[] = [account, counter, sum, diary, session, archive];

/** The same kinds, but handling a lethal message ends the process at once, as running out of memory would. */
export function withLethalMessages(end: () => void): readonly AnyActorDefinition[] {
  return WORKLOAD.map((definition) => ({
    ...definition,
    handle(state, message, context) {
      if (message.type === 'lethal') end();
      return definition.handle(state, message, context);
    },
  }));
}

/** The kinds that replicas follow. */
export const REPLICATED: readonly string[] = [session.kind];
