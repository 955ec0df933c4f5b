import type { Logger } from '../../runtime/actor/logger.ts';
import type { DeadLetter, StateStore } from '../../runtime/ports/store.ts';
import type { Job } from '../job.ts';
import type { JobFigures } from '../job-figures.ts';

const PAGE = 500;
/** The most characters of a reason, which may be a stack trace. */
const MOST_CHARACTERS = 120;
/** The number of the most frequent reasons in the log. */
const MOST_REASONS = 20;

/**
 * Reports the dead letters that wait for a decision, by the kind that they are for and the reason why they were parked.
 */
export function reportDeadLetters(deps: {
  readonly store: Pick<StateStore, 'deadLetters'>;
  readonly logger: Logger;
  readonly figures: Pick<JobFigures, 'deadLettersWait'>;
}): Job {
  const { store, logger, figures } = deps;
  return {
    name: 'report-dead-letters',
    purpose: 'Counts the messages that no actor could handle and that nobody has replayed or discarded.',
    cron: '10 * * * *',
    missed: 'newest',
    async run({ signal }) {
      const kinds = new Map<string, number>();
      const reasons = new Map<string, number>();
      let [count, oldestMs] = [0, Number.POSITIVE_INFINITY];
      for await (const deadLetter of waitingDeadLetters(store, signal)) {
        const kind = deadLetter.to.split('/', 1)[0] ?? '';
        const reason = `${kind} ${deadLetter.type}: ${firstLine(deadLetter.reason)}`;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        count += 1;
        oldestMs = Math.min(oldestMs, deadLetter.parkedAtMs);
      }
      figures.deadLettersWait(kinds);
      if (count === 0) return 'none';
      const oldest = new Date(oldestMs).toISOString();
      const mostFrequent = [...reasons].sort(([, a], [, b]) => b - a).slice(0, MOST_REASONS);
      logger.warn({ count, oldest, reasons: Object.fromEntries(mostFrequent) }, 'messages are parked');
      const byKind = [...kinds].map(([kind, of]) => `${kind} ${of}`).join(', ');
      return `${count} since ${oldest}: ${byKind}; mostly ${mostFrequent[0]?.join(' × ')}`;
    },
  };
}

async function* waitingDeadLetters(
  store: Pick<StateStore, 'deadLetters'>,
  signal: AbortSignal,
): AsyncIterable<DeadLetter> {
  for (let after: string | undefined; ; ) {
    signal.throwIfAborted();
    const deadLetters = await store.deadLetters({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const deadLetter of deadLetters)
      if (deadLetter.replayedAtMs === null && deadLetter.discarded === undefined) yield deadLetter;
    if (deadLetters.length < PAGE) return;
    after = deadLetters.at(-1)!.id;
  }
}

function firstLine(reason: string): string {
  return reason.split('\n', 1)[0]!.slice(0, MOST_CHARACTERS);
}
