import Type, { type Static } from 'typebox';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { reject } from '../../runtime/actor/rejection.ts';
import { type JobLeaseReply, jobLeaseMessages, ListedWorker } from './messages.ts';

const Count = Type.Integer({ minimum: 0 });

export const JobLeaseState = Type.Object({
  /** The process that runs the jobs; null when the last one has resigned. */
  process: Type.Union([Type.String(), Type.Null()]),
  term: Count,
  /** The begin of the term, and its end unless it is renewed: by the log's clock, ms since the epoch. */
  sinceMs: Count,
  untilMs: Count,
  /** The jobs and workers of the last holder, in its order. */
  jobs: Type.Array(Type.String()),
  duties: Type.Array(ListedWorker),
  /** The requested runs that are not known to have begun, oldest first, each job once, by its latest request. */
  requests: Type.Array(Type.Object({ number: Count, job: Type.String() })),
  lastRequest: Count,
});
export type JobLeaseState = Static<typeof JobLeaseState>;

export const unheldJobLease: JobLeaseState = {
  process: null,
  term: 0,
  sinceMs: 0,
  untilMs: 0,
  jobs: [],
  duties: [],
  requests: [],
  lastRequest: 0,
};

export const jobLeaseHandlers = handlersOf(JobLeaseState, jobLeaseMessages, {
  hold(state, { process, forMs, jobs, duties, takenUpTo }, { nowMs }): Effects<JobLeaseState, JobLeaseReply> {
    const mine = state.process === process;
    const free = state.process === null || state.untilMs <= nowMs;
    if (!mine && !free) return { reply: { yours: false, term: state.term, nowMs, requests: [] } };
    // A holder whose lease had expired begins a new term: another process may have tried to run in between.
    const term = mine && !free ? state.term : state.term + 1;
    const sinceMs = term === state.term ? state.sinceMs : nowMs;
    const requests = state.requests.filter(({ number }) => number > takenUpTo);
    return {
      state: { ...state, process, term, sinceMs, untilMs: nowMs + forMs, jobs, duties, requests },
      reply: { yours: true, term, nowMs, requests },
    };
  },
  'let-go': (state, { process }, { nowMs }) =>
    state.process === process ? { state: { ...state, process: null, untilMs: nowMs } } : {},
  request(state, { job }) {
    if (!state.jobs.includes(job)) return reject('NOT_FOUND', 'There is no such job here.');
    const number = state.lastRequest + 1;
    // An earlier request stays listed until the next renewal, though its run may have begun, and ended, before this
    // one.
    const others = state.requests.filter((request) => request.job !== job);
    return { state: { ...state, requests: [...others, { number, job }], lastRequest: number } };
  },
});
