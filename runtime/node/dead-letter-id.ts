import { MAIN_LOG } from './metrics.ts';

/** The place of a message that is parked. */
interface Place {
  readonly partition: number;
  readonly position: string;
  /** Its place among the messages of its entry. */
  readonly index: number;
}

/** The id of a dead letter: one store has those of all logs, and an entry may have several messages. */
export function deadLetterId(log: string, { partition, position, index }: Place): string {
  const place = `${partition}:${position}${index === 0 ? '' : `.${index}`}`;
  return log === MAIN_LOG ? place : `${log}-${place}`;
}

/** The name of the log that a dead letter comes from. */
export function logOfDeadLetter(id: string): string {
  return /^([a-z]+)-/.exec(id)?.[1] ?? MAIN_LOG;
}
