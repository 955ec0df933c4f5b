import Type, { type Static } from 'typebox';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { Figures, JobDescription, jobMessages } from './messages.ts';

/** ms since the epoch, by the log's clock; only `dueMs` is a date of the job. */
const AtMs = Type.Integer({ minimum: 0 });
const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const JobState = Type.Object({
  /** Null until a scheduler has described the job. */
  description: orNull(JobDescription),
  /** The highest term seen. */
  term: Type.Integer({ minimum: 0 }),
  /** When the job was first described. */
  sinceMs: AtMs,
  /** The latest date with a finished run; null for none. */
  doneMs: orNull(AtMs),
  /** The run that has begun and neither finished nor failed: it is under way, unless its process has died. */
  running: orNull(Type.Object({ dueMs: AtMs, startedAtMs: AtMs, term: Type.Integer({ minimum: 0 }) })),
  /** The last run that finished. */
  last: orNull(
    Type.Object({
      ...{ dueMs: AtMs, startedAtMs: AtMs, endedAtMs: AtMs, outcome: Type.String() },
      figures: Type.Optional(Figures),
    }),
  ),
  /** The number of failed runs since the last one that did not fail. */
  failures: Type.Integer({ minimum: 0 }),
  lastFailure: orNull(Type.Object({ dueMs: AtMs, atMs: AtMs, reason: Type.String() })),
  /** When the job runs next; null for never. */
  nextAtMs: orNull(AtMs),
});
export type JobState = Static<typeof JobState>;

export const emptyJob: JobState = {
  description: null,
  term: 0,
  sinceMs: 0,
  doneMs: null,
  running: null,
  last: null,
  failures: 0,
  lastFailure: null,
  nextAtMs: null,
};

/** The most characters of a job's own text: a line for people, not a page. */
const MAX_TEXT_LENGTH = 1_000;

export const jobHandlers = handlersOf(JobState, jobMessages, {
  describe(state, { term, purpose, cron, missed, nextAtMs }, { nowMs }) {
    if (term < state.term) return heldSince(state);
    const sinceMs = state.description === null ? nowMs : state.sinceMs;
    const next = state.failures > 0 ? state.nextAtMs : nextAtMs;
    return changed(state, { description: { purpose, cron, missed }, sinceMs, nextAtMs: next, term });
  },
  begin(state, { term, dueMs, again }, { nowMs }) {
    if (term < state.term) return heldSince(state);
    if (!again && state.doneMs !== null && dueMs <= state.doneMs) return reject('CONFLICT', 'this run is done');
    return changed(state, { running: { dueMs, startedAtMs: nowMs, term }, term });
  },
  finish(state, { term, dueMs, outcome, nextAtMs, figures }, { nowMs }) {
    if (term < state.term) return heldSince(state);
    const { running } = state;
    if (running?.dueMs !== dueMs || running.term !== term) return reject('CONFLICT', 'this run was not begun');
    return changed(state, {
      doneMs: Math.max(dueMs, state.doneMs ?? 0),
      running: null,
      last: {
        ...{ dueMs, startedAtMs: running.startedAtMs, endedAtMs: nowMs, outcome: outcome.slice(0, MAX_TEXT_LENGTH) },
        ...(figures && { figures }),
      },
      failures: 0,
      nextAtMs,
      term,
    });
  },
  fail(state, { term, dueMs, reason, nextAtMs }, { nowMs }) {
    if (term < state.term) return heldSince(state);
    const { running } = state;
    if (running?.dueMs !== dueMs || running.term !== term) return reject('CONFLICT', 'this run was not begun');
    const lastFailure = { dueMs, atMs: nowMs, reason: reason.slice(0, MAX_TEXT_LENGTH) };
    return changed(state, { running: null, failures: state.failures + 1, lastFailure, nextAtMs, term });
  },
});

function heldSince({ term }: JobState): Rejection {
  return reject('CONFLICT', `another process runs jobs since term ${term}`);
}

function changed(state: JobState, changes: Partial<JobState>): Effects<JobState, JobState> {
  const next = { ...state, ...changes };
  return { state: next, reply: next };
}
