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
import type { SchedulerMetrics } from './scheduler-metrics.ts';

export interface JobRunnerDeps {
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: SchedulerMetrics;
}

/** A retry that comes sooner than this is waited for here; a later one is found with a prolongation. */
const SOON_MS = 30_000;
/** A ring may come so much before its date, by the log's clock, and stand for that date. */
const EARLY_MS = 5_000;
/** A date that nobody has rung for by then was missed by the alarm. A thread of a busy machine takes seconds to start. */
const TIMER_GRACE_MS = 30_000;
/** After what could not be told to a job's actor. */
const TELL_AGAIN_MS = 1_000;

interface TrackedJob {
  readonly job: Job;
  readonly dates: CronDates;
  /** As its actor said last; null when that is to be asked. */
  state: JobState | null;
  run: Promise<void> | null;
  /** When the alarm rang for it last in this term. */
  timerFiredAtMs: number;
  /** A date that came in this term and was found by no ring so far. */
  missedTimerMs: number | null;
}

/**
 * Runs what is due during one term. All that it knows of a job it has from the job's actor, and all that it does to it the
 * actor has agreed to in this term; so whoever has the next term goes on from there.
 */
export class JobRunner {
  readonly #deps: JobRunnerDeps;
  readonly #term: LeaderTerm;
  readonly #jobs: ReadonlyMap<string, TrackedJob>;
  readonly #sinceMs: number;
  #cancelLook = () => {};
  #looking = false;
  #lookAgain = false;

  constructor(jobs: readonly Job[], term: LeaderTerm, parts: JobRunnerDeps) {
    this.#deps = parts;
    this.#term = term;
    this.#sinceMs = term.nowMs();
    const known = (job: Job): TrackedJob => ({
      ...{ job, dates: cronDates(job.cron), state: null, run: null },
      ...{ timerFiredAtMs: Number.NEGATIVE_INFINITY, missedTimerMs: null },
    });
    this.#jobs = new Map(jobs.map((job) => [job.name, known(job)]));
    term.over.addEventListener('abort', () => this.#cancelLook(), { once: true });
  }

  /** The alarm rang for a job: begins what is due, or waits for the date where the alarm is ahead of the log's clock. */
  onTimer(name: string): void {
    const known = this.#jobs.get(name);
    if (known !== undefined) known.timerFiredAtMs = this.#term.nowMs();
    this.look();
  }

  /** Begins what is due. To be called whenever something may be: it costs next to nothing when nothing is. */
  look(): void {
    this.#lookAgain = true;
    if (this.#looking) return;
    this.#looking = true;
    void this.#lookWhileAsked();
  }

  /**
   * Runs a job now, for the date that it is to run for or has last run for. False when it is running already: what was
   * wanted may not be in that run.
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

  /** Resolves when nothing is under way. */
  async whenIdle(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map(({ run }) => run));
  }

  async #lookWhileAsked(): Promise<void> {
    while (this.#lookAgain && !this.#term.over.aborted) {
      this.#lookAgain = false;
      await this.#lookOnce();
    }
    // In the same step as the last glance at what is asked for: nobody who asks finds it under way any more.
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
   * Begins what the job is to do now; answers when it is to be looked at again without anybody saying so: for a retry, and for
   * a date whose ring came early. The alarm rings for all other dates.
   */
  async #attend(known: TrackedJob): Promise<number> {
    try {
      const state = known.state ?? (await this.#describe(known));
      const planned = planRun(known.job, known.dates, state, this.#term.nowMs());
      if (planned === null) return Number.POSITIVE_INFINITY;
      if (planned.atMs > this.#term.nowMs()) {
        const isRetry = planned.atMs !== planned.dueMs;
        const hasRung = this.#timerFiredFor(known, planned.dueMs);
        return isRetry || hasRung ? planned.atMs : Number.POSITIVE_INFINITY;
      }
      if (!planned.again && planned.dueMs > this.#sinceMs && !this.#timerFiredFor(known, planned.dueMs))
        known.missedTimerMs = planned.dueMs;
      await this.#begin(known, planned);
      return Number.POSITIVE_INFINITY;
    } catch (err) {
      // What the actor did is unknown, or it heard of a later term: this one ends soon then.
      known.state = null;
      this.#deps.logger.warn({ err, job: known.job.name }, 'a job could not be looked at');
      return this.#term.nowMs() + TELL_AGAIN_MS;
    }
  }

  #timerFiredFor(known: TrackedJob, dueMs: number): boolean {
    return known.timerFiredAtMs >= dueMs - EARLY_MS;
  }

  /** A ring may still be on its way when a prolongation finds what is due, so this waits with its verdict. */
  #reportMissedTimer(known: TrackedJob): void {
    const { missedTimerMs: unrungMs } = known;
    if (unrungMs === null) return;
    const isRung = this.#timerFiredFor(known, unrungMs);
    if (!isRung && this.#term.nowMs() < unrungMs + TIMER_GRACE_MS) return;
    known.missedTimerMs = null;
    if (isRung) return;
    const { name: job } = known.job;
    this.#deps.metrics.missedTimers.inc({ job });
    this.#deps.logger.error({ job, due: new Date(unrungMs).toISOString() }, 'the alarm did not ring; a job ran late');
  }

  async #describe(known: TrackedJob): Promise<JobState> {
    const { name, purpose, cron, missed } = known.job;
    const { number: term } = this.#term;
    const nextAtMs = known.dates.after(this.#term.nowMs());
    const description = { term, purpose, cron, missed, nextAtMs };
    known.state = await this.#deps.messenger.ask(jobKind, name, 'describe', description);
    return known.state;
  }

  /** Resolves with true once it is saved that the run has begun. */
  async #begin(known: TrackedJob, { dueMs, again }: PlannedRun): Promise<boolean> {
    const { messenger } = this.#deps;
    const { number: term } = this.#term;
    const { name } = known.job;
    let started = (_begun: boolean) => {};
    const begun = new Promise<boolean>((resolve) => {
      started = resolve;
    });
    // Said at once, so that nobody begins it a second time meanwhile.
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
        this.#deps.logger.warn({ err, job: name }, 'a run could not be begun');
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
      const outcome = await known.job.run({ dueMs, nowMs: this.#term.nowMs(), signal: this.#term.over });
      metrics.runs.inc({ job: name, outcome: 'done' });
      logger.debug({ ...of, outcome }, 'a job has run');
      const nextAtMs = known.dates.after(this.#term.nowMs());
      await this.#record(known, (said, options) =>
        this.#deps.messenger.ask(jobKind, name, 'finish', { ...said, dueMs, outcome, nextAtMs }, options),
      );
    } catch (err) {
      // Cut short: its actor goes on taking it for begun, and whoever has the next term begins it again.
      if (this.#term.over.aborted) return;
      metrics.runs.inc({ job: name, outcome: 'failed' });
      const failures = (known.state?.failures ?? 0) + 1;
      const nextAtMs = retryAt(known.dates, failures, this.#term.nowMs(), this.#deps.random.next());
      logger.warn({ ...of, err, failures, retry: new Date(nextAtMs).toISOString() }, 'a job has failed');
      const reason = err instanceof Error ? err.message : String(err);
      await this.#record(known, (said, options) =>
        this.#deps.messenger.ask(jobKind, name, 'fail', { ...said, dueMs, reason, nextAtMs }, options),
      );
    }
  }

  /** Until it is saved, or the term is over. The request id makes asking again harmless. */
  async #record(
    known: TrackedJob,
    tell: (said: { readonly term: number }, options: { readonly requestId: string }) => Promise<JobState>,
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
        logger.warn({ err, job: name }, 'the end of a run could not be noted yet');
        await pause(clock, TELL_AGAIN_MS);
      }
    }
  }
}
