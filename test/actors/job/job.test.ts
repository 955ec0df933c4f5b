import { job } from '#actors/job/job';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const description = { purpose: 'p', cron: '0 0 * * *', missed: 'each' };
const describedBy = (term: number, atMs: number, nextAtMs = 9) => ({
  type: 'describe',
  atMs,
  body: { term, ...description, nextAtMs },
});
const begin = (term: number, dueMs: number, atMs: number, again = false) => ({
  type: 'begin',
  atMs,
  body: { term, dueMs, again },
});
const finish = (term: number, dueMs: number, atMs: number, outcome = 'done') => ({
  type: 'finish',
  atMs,
  body: { term, dueMs, outcome, nextAtMs: 99 },
});
const fail = (term: number, dueMs: number, atMs: number) => ({
  type: 'fail',
  atMs,
  body: { term, dueMs, reason: 'no', nextAtMs: 77 },
});
const told = describedBy(1, 0);

describe('actors/job', () => {
  runActorCases(job, 'sweep', [
    {
      title: 'is owed from when it was first told of',
      given: [told],
      when: describedBy(2, 500, 10),
      does: { state: { description, sinceMs: beginningMs, term: 2, nextAtMs: 10, doneMs: null } },
    },
    {
      title: 'begins',
      given: [told],
      when: begin(1, 5, 10),
      does: { state: { running: { dueMs: 5, startedAtMs: beginningMs + 10, term: 1 }, doneMs: null } },
    },
    {
      title: 'is done for its date, and says what came of it',
      given: [told, begin(1, 5, 10)],
      when: finish(1, 5, 30),
      does: {
        state: {
          running: null,
          doneMs: 5,
          failures: 0,
          nextAtMs: 99,
          last: { dueMs: 5, startedAtMs: beginningMs + 10, endedAtMs: beginningMs + 30, outcome: 'done' },
        },
      },
    },
    {
      title: 'is not begun for a date that is done',
      given: [told, begin(1, 5, 10), finish(1, 5, 20)],
      when: begin(2, 5, 30),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is done again where that is wanted, and owes nothing more for it',
      given: [told, begin(1, 5, 10), finish(1, 5, 20), begin(1, 3, 30, true)],
      when: finish(1, 3, 40),
      does: { state: { doneMs: 5, running: null } },
    },
    {
      title: 'fails, and is to be tried again',
      given: [told, begin(1, 5, 10), fail(1, 5, 20), begin(1, 5, 30)],
      when: fail(1, 5, 40),
      does: {
        state: {
          running: null,
          failures: 2,
          nextAtMs: 77,
          doneMs: null,
          lastFailure: { dueMs: 5, atMs: beginningMs + 40, reason: 'no' },
        },
      },
    },
    {
      title: 'keeps the time of its retry when another process takes over',
      given: [told, begin(1, 5, 10), fail(1, 5, 20)],
      when: describedBy(2, 30, 10),
      does: { state: { nextAtMs: 77, failures: 1 } },
    },
    {
      title: 'has failed no more once it is done',
      given: [told, begin(1, 5, 10), fail(1, 5, 20), begin(1, 5, 30)],
      when: finish(1, 5, 40),
      does: { state: { failures: 0, lastFailure: { dueMs: 5, atMs: beginningMs + 20, reason: 'no' } } },
    },
    {
      title: 'is begun anew by the next term, as though it had not been begun',
      given: [told, begin(1, 5, 10)],
      when: begin(2, 5, 20),
      does: { state: { running: { dueMs: 5, startedAtMs: beginningMs + 20, term: 2 }, term: 2 } },
    },
    {
      title: 'hears nothing of an older term',
      given: [told, begin(1, 5, 10), begin(2, 5, 20)],
      when: finish(1, 5, 30),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'ends no run that was not begun',
      given: [told, begin(1, 5, 10)],
      when: fail(1, 6, 30),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'keeps an outcome to what a person reads',
      given: [told, begin(1, 5, 10)],
      when: finish(1, 5, 30, 'x'.repeat(5_000)),
      does: {
        state: {
          last: { dueMs: 5, startedAtMs: beginningMs + 10, endedAtMs: beginningMs + 30, outcome: 'x'.repeat(1_000) },
        },
      },
    },
  ]);
});
