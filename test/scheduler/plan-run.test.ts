import { expect } from 'chai';
import { emptyJob, type JobState } from '../../actors/job/reduce.ts';
import { cronDates } from '../../scheduler/cron-dates.ts';
import type { Job } from '../../scheduler/job.ts';
import { planRun, retryAt } from '../../scheduler/plan-run.ts';

const DAY_MS = 86_400_000;
const at = (iso: string) => Date.parse(iso);
const midnight = cronDates('0 0 * * *');
const monthly = cronDates('5 0 1 * *');

/** Told of on the first of March, at noon. */
const told: JobState = { ...emptyJob, sinceMs: at('2027-03-01T12:00:00Z') };
const doneOn = (iso: string, more: Partial<JobState> = {}): JobState => ({ ...told, doneMs: at(iso), ...more });

function plan(missed: Job['missed'], state: JobState, now: string, dates = midnight) {
  const planned = planRun({ missed }, dates, state, at(now));
  return planned && { ...planned, dueMs: new Date(planned.dueMs).toISOString(), atMs: planned.atMs - at(now) };
}
const now = (dueMs: string, again = false) => ({ dueMs, atMs: 0, again });

describe('scheduler/plan-run', () => {
  it('is at the next date where nothing is owed', () => {
    const next = { dueMs: '2027-03-05T00:00:00.000Z', atMs: DAY_MS / 2, again: false };
    for (const missed of ['each', 'newest', 'none'] as const) {
      expect(plan(missed, doneOn('2027-03-04T00:00:00Z'), '2027-03-04T12:00:00Z'), missed).to.deep.equal(next);
    }
  });

  it('is now when its date has come, to the millisecond', () => {
    for (const missed of ['each', 'newest', 'none'] as const) {
      const state = doneOn('2027-03-04T00:00:00Z');
      expect(plan(missed, state, '2027-03-05T00:00:00.000Z')).to.deep.equal(now('2027-03-05T00:00:00.000Z'));
      expect(plan(missed, state, '2027-03-04T23:59:59.999Z')?.atMs).to.equal(1);
    }
  });

  describe('after downtime over several midnights', () => {
    const state = doneOn('2028-02-27T00:00:00Z');
    const back = '2028-03-01T09:00:00Z';

    it('makes up for each of them, oldest first, the leap day too', () => {
      const dates: string[] = [];
      for (let known = state; ; ) {
        const planned = planRun({ missed: 'each' }, midnight, known, at(back))!;
        if (planned.atMs > at(back)) break;
        dates.push(new Date(planned.dueMs).toISOString().slice(0, 10));
        known = { ...known, doneMs: planned.dueMs };
      }
      expect(dates).to.deep.equal(['2028-02-28', '2028-02-29', '2028-03-01']);
    });

    it('makes up for the newest alone', () => {
      expect(plan('newest', state, back)).to.deep.equal(now('2028-03-01T00:00:00.000Z'));
      expect(plan('newest', { ...state, doneMs: at('2028-03-01T00:00:00Z') }, back)?.dueMs).to.equal(
        '2028-03-02T00:00:00.000Z',
      );
    });

    it('makes up for none, but for one that is less than a minute late', () => {
      expect(plan('none', state, back)?.dueMs).to.equal('2028-03-02T00:00:00.000Z');
      expect(plan('none', state, '2028-03-01T00:00:59Z')).to.deep.equal(now('2028-03-01T00:00:00.000Z'));
      expect(plan('none', state, '2028-03-01T00:01:00Z')?.dueMs).to.equal('2028-03-02T00:00:00.000Z');
    });

    it('makes up for each month over a year’s end', () => {
      let known = { ...told, doneMs: at('2027-11-01T00:05:00Z') };
      const months: string[] = [];
      for (;;) {
        const planned = planRun({ missed: 'each' }, monthly, known, at('2028-03-31T00:00:00Z'))!;
        if (planned.atMs > at('2028-03-31T00:00:00Z')) break;
        months.push(new Date(planned.dueMs).toISOString().slice(0, 7));
        known = { ...known, doneMs: planned.dueMs };
      }
      expect(months).to.deep.equal(['2027-12', '2028-01', '2028-02', '2028-03']);
    });
  });

  describe('of a job that never ran', () => {
    it('owes dates from its declaration on, where each counts', () => {
      expect(plan('each', told, '2027-03-01T23:00:00Z')?.dueMs).to.equal('2027-03-02T00:00:00.000Z');
      expect(plan('each', told, '2027-03-04T01:00:00Z')).to.deep.equal(now('2027-03-02T00:00:00.000Z'));
    });

    it('owes the newest one at once, where that alone counts', () => {
      expect(plan('newest', told, '2027-03-01T12:00:00Z')).to.deep.equal(now('2027-03-01T00:00:00.000Z'));
    });
  });

  describe('when clocks step back', () => {
    it('does nothing for a date a second time, and waits for the one after the last', () => {
      for (const missed of ['each', 'newest', 'none'] as const) {
        const planned = plan(missed, doneOn('2027-03-05T00:00:00Z'), '2027-03-04T23:30:00Z');
        expect(planned?.dueMs, missed).to.equal('2027-03-06T00:00:00.000Z');
        expect(planned?.atMs).to.equal(DAY_MS + 30 * 60_000);
      }
    });
  });

  describe('of a run that did not end', () => {
    const running = (iso: string) => ({ dueMs: at(iso), startedAtMs: at(iso), term: 1 });

    it('is that run, again', () => {
      const state = doneOn('2027-03-03T00:00:00Z', { running: running('2027-03-04T00:00:00Z') });
      expect(plan('each', state, '2027-03-04T00:03:00Z')).to.deep.equal(now('2027-03-04T00:00:00.000Z'));
      expect(plan('newest', state, '2027-03-04T00:03:00Z')).to.deep.equal(now('2027-03-04T00:00:00.000Z'));
      expect(plan('none', state, '2027-03-04T09:00:00Z')).to.deep.equal(now('2027-03-04T00:00:00.000Z', true));
    });

    it('is the newest instead, where that alone counts and has come', () => {
      const state = doneOn('2027-03-03T00:00:00Z', { running: running('2027-03-04T00:00:00Z') });
      expect(plan('newest', state, '2027-03-05T00:03:00Z')).to.deep.equal(now('2027-03-05T00:00:00.000Z'));
    });

    it('is that run, where it was one that had been done before', () => {
      const state = doneOn('2027-03-04T00:00:00Z', { running: running('2027-03-04T00:00:00Z') });
      expect(plan('newest', state, '2027-03-04T09:00:00Z')).to.deep.equal(now('2027-03-04T00:00:00.000Z', true));
    });
  });

  describe('of a run that failed', () => {
    const failed = (failures: number, nextAt: string): JobState =>
      doneOn('2027-03-03T00:00:00Z', {
        failures,
        lastFailure: { dueMs: at('2027-03-04T00:00:00Z'), atMs: at('2027-03-04T00:00:02Z'), reason: 'no' },
        nextAtMs: at(nextAt),
      });

    it('waits for the time that was set for it', () => {
      const planned = plan('each', failed(1, '2027-03-04T00:00:03Z'), '2027-03-04T00:00:02Z');
      expect(planned).to.deep.equal({ dueMs: '2027-03-04T00:00:00.000Z', atMs: 1_000, again: false });
    });

    it('is tried again after 1, 2, 4, 8 and 16 s, and a little, then after ten minutes', () => {
      const nowMs = at('2027-03-04T00:00:02Z');
      const waits = [1, 2, 3, 4, 5, 6, 7].map((failures) => retryAt(midnight, failures, nowMs, 0) - nowMs);
      expect(waits).to.deep.equal([1_000, 2_000, 4_000, 8_000, 16_000, 600_000, 600_000]);
      for (const [index, wait] of waits.slice(0, 5).entries()) {
        const longest = retryAt(midnight, index + 1, nowMs, 0.999_999) - nowMs;
        expect(longest).to.be.within(wait, 1.25 * wait);
      }
    });

    it('is not put off beyond its next date', () => {
      const nowMs = at('2027-03-04T23:55:00Z');
      expect(retryAt(midnight, 6, nowMs, 0)).to.equal(at('2027-03-05T00:00:00Z'));
    });

    it('is given up where nothing is made up for', () => {
      expect(plan('none', failed(5, '2027-03-04T00:00:40Z'), '2027-03-04T00:02:00Z')?.again).to.equal(true);
      expect(plan('none', failed(6, '2027-03-04T00:10:00Z'), '2027-03-04T00:11:00Z')?.dueMs).to.equal(
        '2027-03-05T00:00:00.000Z',
      );
    });
  });
});
