import { jobLease } from '#actors/job-lease/job-lease';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const hold = (process: string, atMs: number, takenUpTo = 0) => ({
  type: 'hold',
  atMs,
  body: { process, forMs: 1_000, jobs: ['sweep', 'reset'], duties: [{ name: 'books', purpose: 'p' }], takenUpTo },
});
const letGo = (process: string, atMs: number) => ({ type: 'let-go', atMs, body: { process } });
const request = (job: string, atMs: number) => ({ type: 'request', atMs, body: { job } });
const held = (term: number, atMs: number, requests: object[] = []) => ({
  yours: true,
  term,
  nowMs: beginningMs + atMs,
  requests,
});

describe('actors/job-lease', () => {
  runActorCases(jobLease, 'exchange', [
    {
      title: 'is lent to whoever asks first, for so long of the log’s time',
      when: hold('a', 0),
      does: {
        state: { process: 'a', term: 1, sinceMs: beginningMs, untilMs: beginningMs + 1_000, jobs: ['sweep', 'reset'] },
        reply: held(1, 0),
      },
    },
    {
      title: 'is prolonged, and the term with it',
      given: [hold('a', 0)],
      when: hold('a', 999),
      does: { state: { term: 1, sinceMs: beginningMs, untilMs: beginningMs + 1_999 }, reply: held(1, 999) },
    },
    {
      title: 'is nobody else’s while it lasts',
      given: [hold('a', 0)],
      when: hold('b', 999),
      does: { state: 'same', reply: { yours: false, term: 1, nowMs: beginningMs + 999, requests: [] } },
    },
    {
      title: 'is another’s once it has run out, in a new term',
      given: [hold('a', 0)],
      when: hold('b', 1_000),
      does: { state: { process: 'b', term: 2, sinceMs: beginningMs + 1_000 }, reply: held(2, 1_000) },
    },
    {
      title: 'begins a new term where its own holder comes too late',
      given: [hold('a', 0)],
      when: hold('a', 1_000),
      does: { state: { process: 'a', term: 2 }, reply: held(2, 1_000) },
    },
    {
      title: 'is free at once when it is let go',
      given: [hold('a', 0), letGo('a', 10)],
      when: hold('b', 11),
      does: { state: { process: 'b', term: 2 }, reply: held(2, 11) },
    },
    {
      title: 'is not let go by another',
      given: [hold('a', 0), hold('b', 1_000)],
      when: letGo('a', 1_001),
      does: { state: 'same' },
    },
    {
      title: 'names what is wanted until it has become a run',
      given: [hold('a', 0), request('reset', 1), request('sweep', 2), request('reset', 3)],
      when: hold('a', 4),
      does: {
        reply: held(1, 4, [
          { number: 2, job: 'sweep' },
          { number: 3, job: 'reset' },
        ]),
      },
    },
    {
      title: 'names a job again that is wanted after its run has begun, though that is not known yet',
      given: [hold('a', 0), request('reset', 1), hold('a', 2), request('reset', 3)],
      when: hold('a', 4, 1),
      does: { reply: held(1, 4, [{ number: 2, job: 'reset' }]) },
    },
    {
      title: 'names it to whoever comes next, too',
      given: [hold('a', 0), request('reset', 1), request('sweep', 2), hold('a', 3, 1)],
      when: hold('b', 2_000),
      does: { reply: held(2, 2_000, [{ number: 2, job: 'sweep' }]) },
    },
    {
      title: 'knows no job that its holder has not',
      given: [hold('a', 0)],
      when: request('fly', 1),
      does: { rejected: 'NOT_FOUND' },
    },
  ]);
});
