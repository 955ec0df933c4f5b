import type { Registry } from 'prom-client';
import type { RunRequest } from '../actors/job-lease/messages.ts';
import type { Logger } from '../runtime/actor/logger.ts';
import type { Messenger } from '../runtime/actor/messenger.ts';
import type { Clock } from '../runtime/ports/clock.ts';
import type { Random } from '../runtime/ports/random.ts';
import type { BackgroundWorker } from './background-worker.ts';
import { cronDates } from './cron-dates.ts';
import { type StartCronTimer, startBreeTimer } from './cron-timer.ts';
import type { Job } from './job.ts';
import { JobRunner } from './job-runner.ts';
import { LeaderElection } from './leader-election.ts';
import type { LeaderTerm } from './leader-term.ts';
import { SchedulerMetrics } from './scheduler-metrics.ts';
import { startWorkers } from './start-workers.ts';

export interface SchedulerDeps {
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly registry: Registry;
  /** The name of this run of this process, which people see too. */
  readonly process: string;
  readonly jobs: readonly Job[];
  readonly workers: readonly BackgroundWorker[];
  readonly startCronTimer?: StartCronTimer;
  /** Called when this process is no longer the leader. */
  readonly onDeposed?: () => void;
}

export interface Scheduler {
  /** Ends the work under way and resigns the leadership. */
  close(): Promise<void>;
}

/**
 * The time in ms that jobs and background workers have to stop; longer than a stop should take. The scheduler waits no
 * longer.
 */
const END_MS = 10_000;

/**
 * Runs the exchange's jobs and background workers whenever this process is the leader; one process at a time is. A
 * timer fires at each date of a job. Each lease renewal looks for due jobs too, so that a missed timer makes a run late
 * by seconds and is reported.
 *
 * @throws for an invalid cron expression
 */
export async function startScheduler(deps: SchedulerDeps): Promise<Scheduler> {
  const { jobs, workers, messenger, clock, logger } = deps;
  for (const { cron } of jobs) cronDates(cron);
  const metrics = new SchedulerMetrics(deps.registry);
  const runners = new Map<LeaderTerm, JobRunner>();
  let current: JobRunner | null = null;
  metrics.jobDates = () => current?.dates() ?? [];
  let runningWorkers: { close(): Promise<void> } | null = null;
  /** The queue of term changes: the work of one term has come to rest before the next term begins. */
  let termChanges: Promise<void> = Promise.resolve();
  let takenUpTo = 0;
  /**
   * The requests with higher numbers that have become runs too, because a job with an earlier one was running or did
   * not start. A leader that replaces this one runs them again.
   */
  const takenAhead = new Set<number>();
  let requests: readonly RunRequest[] = [];
  let taking = false;

  const take = async (runner: JobRunner) => {
    if (taking) return;
    taking = true;
    const listed = requests;
    const isTaken = ({ number }: RunRequest) => number <= takenUpTo || takenAhead.has(number);
    for (const request of listed) {
      if (runner !== current) break;
      if (isTaken(request)) continue;
      try {
        if (await runner.runNow(request)) takenAhead.add(request.number);
      } catch (err) {
        logger.warn({ err, job: request.job }, 'a requested run of a job could not start');
      }
    }
    // Numbers only rise, so none below the first request that waits is still to come.
    const waiting = listed.find((request) => !isTaken(request));
    takenUpTo = Math.max(takenUpTo, waiting === undefined ? (listed.at(-1)?.number ?? 0) : waiting.number - 1);
    for (const number of takenAhead) if (number <= takenUpTo) takenAhead.delete(number);
    taking = false;
  };
  const begin = (term: LeaderTerm) => {
    if (term.over.aborted) return;
    current = new JobRunner(jobs, term, { ...deps, metrics });
    runners.set(term, current);
    runningWorkers = startWorkers(workers, logger);
    current.look();
    void take(current);
  };
  const end = async (term: LeaderTerm) => {
    const runner = runners.get(term);
    if (runner === undefined) return;
    runners.delete(term);
    current = null;
    const ended = Promise.all([runner.whenIdle(), runningWorkers?.close()]);
    await withinTime(clock, ended, () =>
      logger.error({ term: term.number }, 'jobs or background workers did not end in time'),
    );
  };

  const election = new LeaderElection(
    {
      messenger,
      clock,
      logger,
      process: deps.process,
      jobs: jobs.map(({ name }) => name),
      duties: workers.map(({ name, purpose }) => ({ name, purpose })),
    },
    {
      onElected(term) {
        metrics.isLeader.set(1);
        termChanges = termChanges.then(() => begin(term));
      },
      onDeposed(term) {
        metrics.isLeader.set(0);
        deps.onDeposed?.();
        termChanges = termChanges.then(() => end(term));
      },
      onRenewed(asked) {
        requests = asked;
        current?.look();
        if (current !== null) void take(current);
      },
      get takenUpTo() {
        return takenUpTo;
      },
    },
  );
  const cronTimer = await (deps.startCronTimer ?? startBreeTimer)(jobs, (job) => current?.onTimer(job), logger);
  election.start();
  return {
    async close() {
      await cronTimer.close();
      await election.end();
      await termChanges;
      await election.resign();
    },
  };
}

async function withinTime(clock: Clock, work: Promise<unknown>, tooLate: () => void): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(END_MS, () => {
      tooLate();
      resolve();
    });
  });
  await Promise.race([work, late]);
  cancel();
}
