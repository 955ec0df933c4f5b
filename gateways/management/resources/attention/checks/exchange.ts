import { job } from '#actors/job/job';
import type { JobState } from '#actors/job/reduce';
import { LEDGER_WATERMARK_KEY, watermarkMsOf } from '#actors/watermark/read-watermark';
import type { DeadLetterQueue } from '#gateways/dead-letter-queue';
import { deadLetterStateOf } from '../../dead-letters/dead-letter.ts';
import type { AttentionCheck, AttentionItem } from '../attention-item.ts';

/** The number of dead letters that one read loads. */
const PAGE_SIZE = 500;
/** The delay in ms after which a job counts as late; a job normally starts within seconds of its time. */
const LATE_MS = 5 * 60_000;
const BEHIND_MS = 10 * 60_000;
/** The job that computes the books anew. */
const AUDIT = 'audit';

/**
 * Finds the matters of the whole exchange, for operators: dead letters that wait, jobs that fail or do not run, books
 * that do not balance, ledgers that lag.
 */
export const checkExchange: AttentionCheck = async ({ parts, nowMs }) => {
  const [waiting, jobs, [watermark]] = await Promise.all([
    waitingDeadLetters(parts.deadLetters),
    parts.store.query(job.kind, {}),
    parts.store.load([LEDGER_WATERMARK_KEY]),
  ]);
  const found: AttentionItem[] = [];
  if (waiting.count > 0) {
    found.push({
      kind: 'dead-letters-waiting',
      severity: 'critical',
      subject: null,
      since: new Date(waiting.oldestMs).toISOString(),
      message: `${waiting.count} ${waiting.count === 1 ? 'message' : 'messages'} could not be handled. Statements that they concern stay open.`,
      remedy: 'Read them; replay them once the cause is mended, or discard them with a reason.',
    });
  }
  for (const { id, state } of jobs.documents) {
    const { description, failures, last, lastFailure, nextAtMs, running } = state as JobState;
    if (description === null) continue;
    const subject = { type: 'job' as const, id, name: id };
    if (id === AUDIT && last !== null && differencesIn(last) > 0) {
      found.push({
        kind: 'audit-difference',
        severity: 'critical',
        subject,
        since: new Date(last.endedAtMs).toISOString(),
        message: `The audit has found differences. ${last.outcome}`,
        remedy:
          'Run the job again. If they stay, see ExchangeAuditDifference in the runbook before anything is changed.',
      });
    }
    if (failures > 0 && lastFailure !== null) {
      found.push({
        kind: 'job-failing',
        severity: 'warning',
        subject,
        since: new Date(lastFailure.atMs).toISOString(),
        message: `The job ${id} has failed ${failures === 1 ? 'once' : `${failures} times in a row`}: ${lastFailure.reason}`,
        remedy: 'It is tried again by itself. Mend the cause, then run it now.',
      });
    } else if (running === null && nextAtMs !== null && nextAtMs < nowMs - LATE_MS) {
      found.push({
        kind: 'job-late',
        severity: 'warning',
        subject,
        since: new Date(nextAtMs).toISOString(),
        message: `The job ${id} was due and has not run.`,
        remedy: 'See whether a process with the role `scheduler` runs.',
      });
    }
  }
  const throughMs = watermarkMsOf(watermark);
  if (throughMs > 0 && nowMs - throughMs > BEHIND_MS) {
    found.push({
      kind: 'books-behind',
      severity: 'critical',
      subject: null,
      since: new Date(throughMs).toISOString(),
      message: 'The books are complete only up to this time: figures and budgets lag.',
      remedy:
        'See whether processes with the roles `actors` and `scheduler` run, and whether messages wait as dead letters.',
    });
  }
  return found;
};

/** Differences that a run of the audit has found, in the books and in the audit trail. */
function differencesIn({ figures }: NonNullable<JobState['last']>): number {
  return (figures?.books ?? 0) + (figures?.trail ?? 0);
}

/** Counts the dead letters that wait for a decision. Decided ones are kept, so any number of them may come first. */
async function waitingDeadLetters(queue: Pick<DeadLetterQueue, 'list'>): Promise<{ count: number; oldestMs: number }> {
  let count = 0;
  let oldestMs = Number.POSITIVE_INFINITY;
  for (let after: string | undefined; ; ) {
    const page = await queue.list({ limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) });
    for (const deadLetter of page) {
      if (deadLetterStateOf(deadLetter) !== 'waiting') continue;
      count += 1;
      oldestMs = Math.min(oldestMs, deadLetter.parkedAtMs);
    }
    if (page.length < PAGE_SIZE) return { count, oldestMs };
    after = page.at(-1)!.id;
  }
}
