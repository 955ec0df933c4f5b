import { job as jobKind } from '../actors/job/job.ts';
import type { JobState } from '../actors/job/reduce.ts';
import type { RunRequest } from '../actors/job-lease/messages.ts';
import { pause } from '../async/pause.ts';
import { Rejected } from '../runtime/actor/errors.ts';
import type { Logger } from '../runtime/actor/logger.ts';
import type { Messenger } from '../runtime/actor/messenger.ts';
import type { Clock } from '../runtime/ports/clock.ts';
import type { Random } from '../runtime/ports/random.ts';
import { type CronDates, cronDates } from './cron-dates.ts';
import type { Job } from './job.ts';
import type { LeaderTerm } from './leader-term.ts';
import { type PlannedRun, planRun, retryAt } from './plan-run.ts';
import type { JobDates, SchedulerMetrics } from './scheduler-metrics.ts';

export interface JobRunnerDeps {
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: SchedulerMetrics;
}

/** The runner sets a timer itself for a retry due within this many ms; a later retry is found at a lease renewal. */
const SOON_MS = 30_000;
/** A timer may fire this many ms before a job's date, by the log's clock, and still counts for that date. */
const EARLY_MS = 5_000;
/**
 * A timer that has not fired this many ms after its date was missed. Starting a thread on a busy machine takes seconds.
 */
const TIMER_GRACE_MS = 30_000;
/** The wait in ms before a message that could not be sent to a job's actor is sent again. */
const TELL_AGAIN_MS = 1_000;

interface TrackedJob {
  readonly job: Job;
  readonly dates: CronDates;
  /** The same dates, for {@link JobRunner.dates}: a `CronDates` remembers the last search alone. */
  readonly owedDates: CronDates;
  /** The latest state that the job's actor replied with; null when the actor must be asked. */
  state: JobState | null;
  /** Whether the job has been told what its last run before this term had found. */
  hasRecalled: boolean;
  run: Promise<void> | null;
  /** The instant at which the timer last fired for the job in this term. */
  timerFiredAtMs: number;
  /** A date that came due in this term without its timer having fired so far. */
  missedTimerMs: number | null;
}

/**
 * Runs the due jobs of one term. The runner reads all it knows of a job from the job's actor, and the actor has
 * accepted each of its changes in this term; so the leader of the next term can go on from the actor's state.
 */
export class JobRunner {
  readonly #deps: JobRunnerDeps;
  readonly #term: LeaderTerm;
  readonly #jobs: ReadonlyMap<string, TrackedJob>;
  readonly #sinceMs: number;
  #cancelLook = () => {};
  #looking = false;
  #lookAgain = false;

  constructor(jobs: readonly Job[], term: LeaderTerm, deps: JobRunnerDeps) {
    this.#deps = deps;
    this.#term = term;
    this.#sinceMs = term.nowMs();
    const known = (job: Job): TrackedJob => ({
      job,
      dates: cronDates(job.cron),
      owedDates: cronDates(job.cron),
      state: null,
      hasRecalled: false,
      run: null,
      timerFiredAtMs: Number.NEGATIVE_INFINITY,
      missedTimerMs: null,
    });
    this.#jobs = new Map(jobs.map((job) => [job.name, known(job)]));
    term.over.addEventListener('abort', () => this.#cancelLook(), { once: true });
  }

  /**
   * Handles the timer of a job: begins what is due, or waits for the date where the timer is ahead of the log's clock.
   */
  onTimer(name: string): void {
    const known = this.#jobs.get(name);
    if (known !== undefined) known.timerFiredAtMs = this.#term.nowMs();
    this.look();
  }

  /** Begins what is due. Callers may call this at any time: the call costs next to nothing when nothing is due. */
  look(): void {
    this.#lookAgain = true;
    if (this.#looking) return;
    this.#looking = true;
    void this.#lookWhileAsked();
  }

  /**
   * Runs a job now, for its due date or else for its latest date. Returns false when the job is already running: that
   * run may have begun too early to include what was requested.
   */
  async runNow({ job: name }: RunRequest): Promise<boolean> {
    const known = this.#jobs.get(name);
    if (known === undefined) return true;
    if (known.run !== null) return false;
    const nowMs = this.#term.nowMs();
    const state = known.state ?? (await this.#describe(known));
    const planned = planRun(known.job, known.dates, state, nowMs);
    const dueMs = planned !== null && planned.dueMs <= nowMs ? planned.dueMs : known.dates.latest(nowMs);
    if (dueMs === null || known.run !== null) return false;
    return this.#begin(known, { dueMs, atMs: nowMs, again: true });
  }

  /**
   * The dates of the jobs whose state is known. The date that is due is the oldest without a finished run, whichever
   * run makes up for it: the date of the next run moves on while a job fails.
   */
  dates(): JobDates[] {
    return [...this.#jobs.values()].flatMap(({ job, owedDates, state }) => {
      if (state === null) return [];
      const doneMs = state.doneMs ?? state.sinceMs;
      // What fell into a downtime is not made up for, and not owed.
      const isPassedOver = job.missed === 'none' && state.failures === 0 && state.running === null;
      const dueMs = owedDates.after(isPassedOver ? Math.max(doneMs, this.#sinceMs - TIMER_GRACE_MS) : doneMs);
      return [{ job: job.name, succeededMs: state.last?.endedAtMs ?? null, dueMs }];
    });
  }

  /** Resolves when no run is under way. */
  async whenIdle(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map(({ run }) => run));
  }

  async #lookWhileAsked(): Promise<void> {
    while (this.#lookAgain && !this.#term.over.aborted) {
      this.#lookAgain = false;
      await this.#lookOnce();
    }
    // The flag falls in the same step as the last check of `#lookAgain`, so that no call to `look` in between is lost.
    this.#looking = false;
  }

  async #lookOnce(): Promise<void> {
    this.#cancelLook();
    let soonestMs = Number.POSITIVE_INFINITY;
    for (const known of this.#jobs.values()) {
      if (this.#term.over.aborted) return;
      this.#reportMissedTimer(known);
      if (known.run !== null) continue;
      soonestMs = Math.min(soonestMs, await this.#attend(known));
    }
    const inMs = soonestMs - this.#term.nowMs();
    if (inMs < SOON_MS && !this.#term.over.aborted) {
      this.#cancelLook = this.#deps.clock.after(Math.max(1, inMs), () => this.look());
    }
  }

  /**
   * Begins what the job must do now. Returns the instant at which the runner must look at the job again by itself: for
   * a retry, and for a date whose timer fired early. Timers cover all other dates.
   */
  async #attend(known: TrackedJob): Promise<number> {
    try {
      const state = known.state ?? (await this.#describe(known));
      const planned = planRun(known.job, known.dates, state, this.#term.nowMs());
      if (planned === null) return Number.POSITIVE_INFINITY;
      if (planned.atMs > this.#term.nowMs()) {
        const isRetry = planned.atMs !== planned.dueMs;
        const hasFired = this.#timerFiredFor(known, planned.dueMs);
        return isRetry || hasFired ? planned.atMs : Number.POSITIVE_INFINITY;
      }
      if (!planned.again && planned.dueMs > this.#sinceMs && !this.#timerFiredFor(known, planned.dueMs))
        known.missedTimerMs = planned.dueMs;
      await this.#begin(known, planned);
      return Number.POSITIVE_INFINITY;
    } catch (err) {
      // It is unknown what the actor did, or the actor has seen a later term; in that case this term ends soon.
      known.state = null;
      this.#deps.logger.warn({ err, job: known.job.name }, 'a job could not be checked');
      return this.#term.nowMs() + TELL_AGAIN_MS;
    }
  }

  #timerFiredFor(known: TrackedJob, dueMs: number): boolean {
    return known.timerFiredAtMs >= dueMs - EARLY_MS;
  }

  /** The timer may still fire after a lease renewal has found the due run, so the verdict waits for TIMER_GRACE_MS. */
  #reportMissedTimer(known: TrackedJob): void {
    const { missedTimerMs } = known;
    if (missedTimerMs === null) return;
    const hasFired = this.#timerFiredFor(known, missedTimerMs);
    if (!hasFired && this.#term.nowMs() < missedTimerMs + TIMER_GRACE_MS) return;
    known.missedTimerMs = null;
    if (hasFired) return;
    const { name: job } = known.job;
    this.#deps.metrics.missedTimers.inc({ job_name: job });
    this.#deps.logger.error(
      { job, due: new Date(missedTimerMs).toISOString() },
      'the timer did not fire; a job ran late',
    );
  }

  async #describe(known: TrackedJob): Promise<JobState> {
    const { name, purpose, cron, missed } = known.job;
    const { number: term } = this.#term;
    const nextAtMs = known.dates.after(this.#term.nowMs());
    const description = { term, purpose, cron, missed, nextAtMs };
    known.state = await this.#deps.messenger.ask(jobKind, name, 'describe', description);
    const { figures } = known.state.last ?? {};
    // The answer may come after the term, when another process exports what was found.
    if (!known.hasRecalled && !this.#term.over.aborted && figures !== undefined) known.job.recall?.(figures);
    known.hasRecalled = true;
    return known.state;
  }

  /** Resolves with true once the beginning of the run is saved. */
  async #begin(known: TrackedJob, { dueMs, again }: PlannedRun): Promise<boolean> {
    const { messenger } = this.#deps;
    const { number: term } = this.#term;
    const { name } = known.job;
    let started = (_begun: boolean) => {};
    const begun = new Promise<boolean>((resolve) => {
      started = resolve;
    });
    // The field is set at once, so that no other call begins the run a second time.
    known.run = (async () => {
      try {
        known.state = await messenger.ask(jobKind, name, 'begin', {
          term,
          dueMs,
          again,
        });
        started(true);
        await this.#run(known, dueMs);
      } catch (err) {
        known.state = null;
        this.#deps.logger.warn({ err, job: name }, 'a run of a job could not start');
        started(false);
      }
    })().finally(() => {
      known.run = null;
      this.look();
    });
    return begun;
  }

  async #run(known: TrackedJob, dueMs: number): Promise<void> {
    const { logger, metrics } = this.#deps;
    const { name } = known.job;
    const of = { job: name, due: new Date(dueMs).toISOString() };
    try {
      let figures: Readonly<Record<string, number>> | undefined;
      const outcome = await known.job.run({
        ...{ dueMs, nowMs: this.#term.nowMs(), signal: this.#term.over },
        found: (found) => {
          figures = found;
        },
      });
      metrics.runs.inc({ job_name: name, outcome: 'done' });
      logger.debug({ ...of, outcome }, 'a job has run');
      const nextAtMs = known.dates.after(this.#term.nowMs());
      await this.#record(known, (inTerm, options) =>
        this.#deps.messenger.ask(
          jobKind,
          name,
          'finish',
          { ...inTerm, dueMs, outcome, nextAtMs, ...(figures && { figures }) },
          options,
        ),
      );
    } catch (err) {
      // The run was cut short: its actor still counts it as begun, and the leader of the next term begins it again.
      if (this.#term.over.aborted) return;
      metrics.runs.inc({ job_name: name, outcome: 'failed' });
      const failures = (known.state?.failures ?? 0) + 1;
      const nextAtMs = retryAt(known.dates, failures, this.#term.nowMs(), this.#deps.random.next());
      logger.warn({ ...of, err, failures, retry: new Date(nextAtMs).toISOString() }, 'a job has failed');
      const reason = err instanceof Error ? err.message : String(err);
      await this.#record(known, (inTerm, options) =>
        this.#deps.messenger.ask(jobKind, name, 'fail', { ...inTerm, dueMs, reason, nextAtMs }, options),
      );
    }
  }

  /** Repeats the message until it is saved or the term is over. The request id makes repetitions harmless. */
  async #record(
    known: TrackedJob,
    tell: (inTerm: { readonly term: number }, options: { readonly requestId: string }) => Promise<JobState>,
  ): Promise<void> {
    const { clock, logger, random } = this.#deps;
    const { name } = known.job;
    const requestId = random.id();
    for (;;) {
      try {
        known.state = await tell({ term: this.#term.number }, { requestId });
        return;
      } catch (err) {
        if (err instanceof Rejected || this.#term.over.aborted) {
          known.state = null;
          return;
        }
        logger.warn({ err, job: name }, 'the end of a run could not be recorded yet');
        await pause(clock, TELL_AGAIN_MS);
      }
    }
  }
}
