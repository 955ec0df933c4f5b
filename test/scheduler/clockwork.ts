import { Registry } from 'prom-client';
import { job } from '../../actors/job/job.ts';
import type { JobState } from '../../actors/job/reduce.ts';
import { jobLease } from '../../actors/job-lease/job-lease.ts';
import type { AnyActorDefinition } from '../../runtime/actor/define-actor.ts';
import { ActorTimeout, Rejected } from '../../runtime/actor/errors.ts';
import type { AskOptions, Messenger } from '../../runtime/actor/messenger.ts';
import { Rejection } from '../../runtime/actor/rejection.ts';
import { SILENT } from '../../runtime/node/logger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { BackgroundWorker } from '../../scheduler/background-worker.ts';
import { type CronDates, cronDates } from '../../scheduler/cron-dates.ts';
import type { Job } from '../../scheduler/job.ts';
import { LEASE_MS, RENEW_INTERVAL_MS } from '../../scheduler/leader-election.ts';
import { type Scheduler, startScheduler } from '../../scheduler/scheduler.ts';

export const MINUTE_MS = 60_000;
/** Of a run that is found with the next prolongation. */
export const LATEST_MS = RENEW_INTERVAL_MS + 1;
/** From a holder's death to when another has the right. */
export const REPLACED_MS = LEASE_MS + RENEW_INTERVAL_MS;

export const at = (iso: string): number => Date.parse(iso);

const KINDS: readonly AnyActorDefinition[] = [job, jobLease];

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly process: Process;
  readonly fire: () => void;
}

/** One process of the clockwork, with a clock of its own. */
class Process {
  /** How far its wall clock is from true time. Its monotonic clock is right. */
  skewMs = 0;
  alive = true;
  /** Nothing that it says arrives, and it hears nothing. */
  cutOff = false;
}

/** What became of one call of a job's `run`. */
export interface SeenRun {
  readonly process: string;
  readonly dueMs: number;
  readonly nowMs: number;
}

/**
 * Schedulers in virtual time. Their actors are the real reducers over states in memory, as a log and a store that never
 * fail would have them; what is virtual is time, and which process lives.
 */
export class Clockwork {
  nowMs: number;
  /** How far the log's clock is ahead of true time. It never goes back, whatever becomes of this. */
  logAheadMs = 0;
  #logMs = 0;
  #timers: Timer[] = [];
  #order = 0;
  readonly #states = new Map<string, unknown>();
  readonly #replies = new Map<string, unknown>();
  readonly #processes = new Map<string, Process>();
  /** By process. */
  readonly registries = new Map<string, Registry>();
  /** Whether alarms ring at their dates. */
  rings = true;
  /** The addresses of actors that answer no process. */
  readonly unanswered = new Set<string>();

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  /** A scheduler in a process of that name; its alarm rings by the process's wall clock while `rings` is true. */
  async start(name: string, jobs: readonly Job[], duties: readonly BackgroundWorker[] = []): Promise<Scheduler> {
    const process = new Process();
    this.#processes.set(name, process);
    const clock = this.#clock(process);
    const registry = new Registry();
    this.registries.set(name, registry);
    const scheduler = await startScheduler({
      messenger: this.#messenger(process),
      clock,
      random: { next: () => 0.5, id: () => `id-${this.#order++}` },
      logger: SILENT,
      registry,
      process: name,
      jobs,
      workers: duties,
      startCronTimer: async (all, wake) => {
        const cancels = all.map(({ name: job, cron }) => this.#ringing(clock, cronDates(cron), () => wake(job)));
        return { close: async () => cancels.forEach((cancel) => void cancel()) };
      },
    });
    await this.settle();
    return scheduler;
  }

  /** The process is gone from one moment to the next: what it had under way never ends. */
  kill(name: string): void {
    const process = this.#process(name);
    process.alive = false;
    this.#timers = this.#timers.filter((timer) => timer.process !== process);
  }

  cutOff(name: string, cutOff: boolean): void {
    this.#process(name).cutOff = cutOff;
  }

  skew(name: string, skewMs: number): void {
    this.#process(name).skewMs = skewMs;
  }

  job(name: string): JobState {
    return this.#state(job, name) as JobState;
  }

  ask({ kind }: Pick<AnyActorDefinition, 'kind'>, id: string, type: string, body: unknown): unknown {
    return this.#handle(kind, id, type, body);
  }

  /** Lets `ms` pass, with all that is to happen meanwhile. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    await this.settle();
    for (let next = this.#next(untilMs); next !== undefined; next = this.#next(untilMs)) {
      this.#timers.splice(this.#timers.indexOf(next), 1);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.fire();
      await this.settle();
    }
    this.nowMs = untilMs;
  }

  async passUntil(atMs: number): Promise<void> {
    await this.pass(atMs - this.nowMs);
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
  }

  #next(untilMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.atMs > untilMs) continue;
      if (!next || timer.atMs < next.atMs || (timer.atMs === next.atMs && timer.order < next.order)) next = timer;
    }
    return next;
  }

  #process(name: string): Process {
    const process = this.#processes.get(name);
    if (!process) throw new Error(`no process ${name}`);
    return process;
  }

  /** Rings at each date, by that clock; a clock that was set meanwhile counts from the next date on. */
  #ringing(clock: Clock, dates: CronDates, ring: () => void): () => void {
    let cancel = () => {};
    const arm = () => {
      const nextMs = dates.after(clock.now());
      if (nextMs === null) return;
      cancel = clock.after(nextMs - clock.now(), () => {
        if (this.rings) ring();
        arm();
      });
    };
    arm();
    return () => cancel();
  }

  #clock(process: Process): Clock {
    return {
      now: () => this.nowMs + process.skewMs,
      monotonic: () => this.nowMs,
      after: (delayMs, fire) => {
        const timer: Timer = { atMs: this.nowMs + delayMs, order: this.#order++, process, fire };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((other) => other !== timer);
        };
      },
    };
  }

  #messenger(process: Process): Messenger {
    const handle = (
      { kind }: Pick<AnyActorDefinition, 'kind'>,
      id: string,
      type: string,
      body: unknown,
      requestId?: string,
    ) => {
      if (!process.alive) return new Promise<never>(() => {});
      if (process.cutOff || this.unanswered.has(`${kind}/${id}`)) return Promise.reject(new ActorTimeout('cut off'));
      return Promise.resolve().then(() => this.#handle(kind, id, type, body, requestId));
    };
    return {
      tell: async (kind, id, type, body) => {
        await handle(kind, id, type, body);
      },
      ask: (kind, id, type, body, options: AskOptions = {}) =>
        handle(kind, id, type, body, options.requestId) as Promise<never>,
    };
  }

  #state(kind: AnyActorDefinition, id: string): unknown {
    return this.#states.get(`${kind.kind}/${id}`) ?? kind.initial(id);
  }

  #handle(name: string, id: string, type: string, body: unknown, requestId?: string): unknown {
    const kind = KINDS.find((known) => known.kind === name);
    if (kind === undefined) throw new Error(`the clockwork has no ${name}`);
    if (requestId !== undefined && this.#replies.has(requestId)) return this.#replies.get(requestId);
    this.#logMs = Math.max(this.#logMs, this.nowMs + this.logAheadMs);
    const address = `${kind.kind}/${id}`;
    const context = { id, address, nowMs: this.#logMs, position: `${this.#logMs}-0`, random: () => 0.5 };
    const effects = kind.handle(this.#state(kind, id), { type, body } as never, context) ?? {};
    if (effects instanceof Rejection) throw new Rejected(effects.code, effects.message, effects.details);
    if (effects.state !== undefined) this.#states.set(address, effects.state);
    const reply = effects.reply ?? null;
    if (requestId !== undefined) this.#replies.set(requestId, reply);
    return reply;
  }
}

/** A job that notes its runs, in whatever process, and then does what it is told to. */
export class NotingJob {
  readonly seen: SeenRun[] = [];
  /** By default says which of all runs it was. */
  act: (run: number, signal: AbortSignal) => Promise<string> = async (run) => `run ${run}`;
  readonly #job: Omit<Job, 'run'>;

  constructor(change: Partial<Job> = {}) {
    this.#job = { name: 'noting', purpose: 'Notes its runs', cron: '0 0 * * *', missed: 'each', ...change };
  }

  in(process: string): Job {
    return {
      ...this.#job,
      run: ({ dueMs, nowMs, signal }) => {
        this.seen.push({ process, dueMs, nowMs });
        return this.act(this.seen.length, signal);
      },
    };
  }

  /** The dates that it was run for, in the order of the runs. */
  get dates(): string[] {
    return this.seen.map(({ dueMs }) => new Date(dueMs).toISOString());
  }
}
