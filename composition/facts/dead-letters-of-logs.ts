import type { DeadLetterQueue } from '../../gateways/dead-letter-queue.ts';
import { logOfDeadLetter } from '../../runtime/node/dead-letter-id.ts';
import { FACTS_LOG, type FactsLog } from './facts-log.ts';

/**
 * The dead letters of all logs of this exchange, each replayed in the log that it comes from: an actor has messages of
 * one log, since positions of two cannot be compared. Without a log of facts its dead letters can be discarded alone.
 */
export function deadLettersOfLogs(main: DeadLetterQueue, factsLog: FactsLog | null): DeadLetterQueue {
  const queueOf = (id: string) =>
    factsLog !== null && logOfDeadLetter(id) === FACTS_LOG ? factsLog.deadLetters : main;
  return {
    list: (options) => main.list(options),
    replay: async (id) => queueOf(id).replay(id),
    discard: async (id, decision) => queueOf(id).discard(id, decision),
  };
}
