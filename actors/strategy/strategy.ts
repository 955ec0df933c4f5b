import { defineActor } from '../../runtime/actor/define-actor.ts';
import { strategyMessages } from './messages.ts';
import { noStrategy, StrategyState, strategyHandlers } from './reduce.ts';

/**
 * The strategy of a delegate: the document that was saved last. Its campaigns are actors of their own. Id: the demand
 * source's.
 */
export const strategy = defineActor({
  kind: 'strategy',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: { close: 'It follows from the archiving of its demand source, which is an entry.' } },
  state: StrategyState,
  messages: strategyMessages,
  initial: () => noStrategy,
  handlers: strategyHandlers,
});
