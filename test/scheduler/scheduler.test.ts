import { expect } from 'chai';
import { EXCHANGE_LEASE_ID, jobLease } from '../../actors/job-lease/job-lease.ts';
import type { BackgroundWorker } from '../../scheduler/background-worker.ts';
import { LEASE_MS, RENEW_INTERVAL_MS } from '../../scheduler/leader-election.ts';
import { Clockwork, LATEST_MS, NotingJob, REPLACED_MS } from './clockwork.ts';

const at = (iso: string) => Date.parse(iso);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const HELD_BY_A = { process: 'a', forMs: LEASE_MS, jobs: [], duties: [], takenUpTo: 0 };

async function missedRings(clockwork: Clockwork, process: string): Promise<number> {
  const { values } = await clockwork.registries.get(process)!.getSingleMetric('scheduler_missed_rings_total')!.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}

describe('scheduler, in virtual time', () => {
  it('runs a job at its date, once, for that date, and shows what came of it', async () => {
    const clockwork = new Clockwork(at('2027-03-04T23:58:00Z'));
    const noting = new NotingJob();
    const scheduler = await clockwork.start('a', [noting.in('a')]);
    await clockwork.passUntil(at('2027-03-04T23:59:59.999Z'));
    expect(noting.seen).to.deep.equal([]);
    expect(clockwork.job('noting').nextAtMs).to.equal(at('2027-03-05T00:00:00Z'));
    await clockwork.pass(1 + LATEST_MS);
    expect(noting.dates).to.deep.equal(['2027-03-05T00:00:00.000Z']);
    expect(noting.seen[0]!.nowMs).to.be.within(noting.seen[0]!.dueMs, noting.seen[0]!.dueMs + LATEST_MS);
    await clockwork.pass(10 * MINUTE_MS);
    expect(noting.seen).to.have.lengthOf(1);
    const { last, running, failures, nextAtMs } = clockwork.job('noting');
    expect(last).to.include({ dueMs: at('2027-03-05T00:00:00Z'), outcome: 'run 1' });
    expect({ running, failures, nextAtMs }).to.deep.equal({
      running: null,
      failures: 0,
      nextAtMs: at('2027-03-06T00:00:00Z'),
    });
    await scheduler.close();
  });

  it('begins at the ring, on the dot', async () => {
    const clockwork = new Clockwork(at('2027-03-04T23:58:01Z'));
    const noting = new NotingJob();
    await clockwork.start('a', [noting.in('a')]);
    await clockwork.passUntil(at('2027-03-06T00:00:00Z'));
    expect(noting.seen.map(({ nowMs, dueMs }) => nowMs - dueMs)).to.deep.equal([0, 0]);
    await clockwork.pass(MINUTE_MS);
    expect(await missedRings(clockwork, 'a')).to.equal(0);
  });

  it('waits for the date where the alarm rings early by the log’s clock', async () => {
    const clockwork = new Clockwork(at('2027-03-04T23:58:01Z'));
    const noting = new NotingJob();
    clockwork.logAheadMs = -1_300;
    await clockwork.start('a', [noting.in('a')]);
    await clockwork.pass(3 * MINUTE_MS);
    expect(noting.seen.map(({ nowMs, dueMs }) => nowMs - dueMs)).to.deep.equal([0]);
    expect(await missedRings(clockwork, 'a')).to.equal(0);
  });

  it('runs late what no alarm rang for, with the next prolongation, and tells it', async () => {
    const clockwork = new Clockwork(at('2027-03-04T23:58:01Z'));
    const noting = new NotingJob();
    clockwork.rings = false;
    await clockwork.start('a', [noting.in('a')]);
    await clockwork.pass(5 * MINUTE_MS);
    expect(noting.dates).to.deep.equal(['2027-03-05T00:00:00.000Z']);
    expect(noting.seen[0]!.nowMs - noting.seen[0]!.dueMs).to.be.within(1, LATEST_MS);
    expect(await missedRings(clockwork, 'a')).to.equal(1);
    // No timer was set for what downtime missed.
    clockwork.kill('a');
    await clockwork.pass(2 * DAY_MS);
    await clockwork.start('b', [noting.in('b')]);
    await clockwork.pass(5 * MINUTE_MS);
    expect(noting.dates.slice(1)).to.deep.equal(['2027-03-06T00:00:00.000Z', '2027-03-07T00:00:00.000Z']);
    expect(await missedRings(clockwork, 'b')).to.equal(0);
  });

  it('lets two processes compete, of which one runs each date', async () => {
    const clockwork = new Clockwork(at('2026-12-31T23:59:00Z'));
    const noting = new NotingJob({ cron: '* * * * *' });
    for (const name of ['a', 'b', 'c']) await clockwork.start(name, [noting.in(name)]);
    await clockwork.pass(5 * MINUTE_MS + LATEST_MS);
    expect(noting.dates.map((date) => date.slice(0, 16))).to.deep.equal([
      '2027-01-01T00:00',
      '2027-01-01T00:01',
      '2027-01-01T00:02',
      '2027-01-01T00:03',
      '2027-01-01T00:04',
    ]);
    expect(new Set(noting.seen.map(({ process }) => process))).to.deep.equal(new Set(['a']));
  });

  it('replaces a holder that dies within seconds, and runs again what it had begun', async () => {
    const clockwork = new Clockwork(at('2028-02-28T23:59:55Z'));
    const noting = new NotingJob();
    noting.act = (run) => (run === 1 ? new Promise(() => {}) : Promise.resolve(`run ${run}`));
    await clockwork.start('a', [noting.in('a')]);
    await clockwork.start('b', [noting.in('b')]);
    await clockwork.pass(10_000);
    expect(noting.seen.map(({ process }) => process)).to.deep.equal(['a']);
    expect(clockwork.job('noting').running).to.include({ dueMs: at('2028-02-29T00:00:00Z') });
    clockwork.kill('a');
    await clockwork.pass(REPLACED_MS);
    expect(noting.seen.map(({ process }) => process)).to.deep.equal(['a', 'b']);
    expect(noting.dates).to.deep.equal(['2028-02-29T00:00:00.000Z', '2028-02-29T00:00:00.000Z']);
    expect(clockwork.job('noting')).to.deep.include({ running: null, doneMs: at('2028-02-29T00:00:00Z') });
    await clockwork.pass(MINUTE_MS);
    expect(noting.seen).to.have.lengthOf(2);
  });

  it('hands over at once when a holder stops, which waits for what it has under way', async () => {
    const clockwork = new Clockwork(at('2027-03-04T23:59:55Z'));
    const noting = new NotingJob();
    let told = false;
    noting.act = (run, signal) =>
      new Promise((resolve, reject) => {
        if (run > 1) return resolve('done');
        signal.addEventListener('abort', () => {
          told = true;
          reject(signal.reason);
        });
      });
    const a = await clockwork.start('a', [noting.in('a')]);
    await clockwork.start('b', [noting.in('b')]);
    await clockwork.pass(10_000);
    const closing = a.close();
    await clockwork.pass(RENEW_INTERVAL_MS);
    await closing;
    expect(told).to.equal(true);
    expect(noting.seen.map(({ process }) => process)).to.deep.equal(['a', 'b']);
    expect(clockwork.job('noting')).to.deep.include({ failures: 0, doneMs: at('2027-03-05T00:00:00Z') });
  });

  it('counts what a leader ended well although it was stopped', async () => {
    const clockwork = new Clockwork(at('2027-03-04T23:59:55Z'));
    const noting = new NotingJob();
    noting.act = (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('after all')));
    const a = await clockwork.start('a', [noting.in('a')]);
    await clockwork.pass(10_000);
    const closing = a.close();
    await clockwork.pass(1_000);
    await closing;
    expect(clockwork.job('noting').last?.outcome).to.equal('after all');
    await clockwork.start('b', [noting.in('b')]);
    await clockwork.pass(MINUTE_MS);
    expect(noting.seen).to.have.lengthOf(1);
  });

  it('lets no process run anything after its leadership has expired, though it lives', async () => {
    const clockwork = new Clockwork(at('2027-03-04T23:50:00Z'));
    const noting = new NotingJob({ cron: '* * * * *' });
    let told = 0;
    noting.act = async (_, signal) => {
      signal.addEventListener('abort', () => {
        told += 1;
      });
      return 'done';
    };
    await clockwork.start('a', [noting.in('a')]);
    await clockwork.start('b', [noting.in('b')]);
    await clockwork.pass(90_000);
    clockwork.cutOff('a', true);
    await clockwork.pass(5 * MINUTE_MS);
    clockwork.cutOff('a', false);
    await clockwork.pass(2 * MINUTE_MS);
    expect(told, 'told that its term is over').to.be.at.least(1);
    expect(noting.dates).to.deep.equal([...new Set(noting.dates)].sort());
    const byProcess = noting.seen.map(({ process }) => process).join('');
    expect(byProcess).to.match(/^a+b+$/);
    expect(byProcess.length).to.be.at.least(8);
  });

  it('takes no word from a process of an earlier term', async () => {
    const clockwork = new Clockwork(at('2027-03-04T23:59:55Z'));
    const noting = new NotingJob();
    const ends: ((outcome: string) => void)[] = [];
    noting.act = () => new Promise((resolve) => ends.push(resolve));
    await clockwork.start('a', [noting.in('a')]);
    await clockwork.start('b', [noting.in('b')]);
    await clockwork.pass(10_000);
    clockwork.cutOff('a', true);
    await clockwork.pass(REPLACED_MS);
    clockwork.cutOff('a', false);
    expect(ends).to.have.lengthOf(2);
    ends[0]!('too late');
    await clockwork.pass(1_000);
    expect(clockwork.job('noting').last).to.equal(null);
    ends[1]!('in time');
    await clockwork.pass(1_000);
    expect(clockwork.job('noting').last?.outcome).to.equal('in time');
  });

  describe('after downtime over several midnights', () => {
    for (const [missed, dates] of [
      ['each', ['2028-02-28', '2028-02-29', '2028-03-01']],
      ['newest', ['2028-03-01']],
      ['none', []],
    ] as const) {
      it(`makes up for what is missed: ${missed}`, async () => {
        const clockwork = new Clockwork(at('2028-02-26T23:59:58Z'));
        const noting = new NotingJob({ missed });
        const first = await clockwork.start('a', [noting.in('a')]);
        await clockwork.pass(10_000);
        expect(noting.dates.at(-1)).to.equal('2028-02-27T00:00:00.000Z');
        await first.close();
        noting.seen.length = 0;
        clockwork.nowMs += 3 * DAY_MS + 9 * 3_600_000;
        await clockwork.start('b', [noting.in('b')]);
        await clockwork.pass(MINUTE_MS);
        expect(noting.dates.map((date) => date.slice(0, 10))).to.deep.equal(dates);
      });
    }
  });

  describe('of a job that fails', () => {
    it('is tried again after 1, 2, 4, 8 and 16 s and a little, then waits, and shows the failure', async () => {
      const clockwork = new Clockwork(at('2027-03-04T23:59:55Z'));
      const noting = new NotingJob();
      noting.act = async (run) => {
        throw new Error(`no ${run}`);
      };
      await clockwork.start('a', [noting.in('a')]);
      await clockwork.pass(2 * MINUTE_MS);
      const waits = noting.seen.slice(1).map(({ nowMs }, index) => nowMs - noting.seen[index]!.nowMs);
      expect(waits).to.have.lengthOf(5);
      for (const [index, wait] of waits.entries()) expect(wait).to.be.within(2 ** index * 1_000, 2 ** index * 1_300);
      const { failures, lastFailure, last, doneMs, nextAtMs } = clockwork.job('noting');
      expect({ failures, last, doneMs }).to.deep.equal({ failures: 6, last: null, doneMs: null });
      expect(lastFailure).to.include({ reason: 'no 6' });
      expect(nextAtMs).to.equal(lastFailure!.atMs + 10 * MINUTE_MS);

      noting.act = async () => 'well again';
      await clockwork.pass(10 * MINUTE_MS);
      expect(noting.dates.at(-1), 'for the date that it owes').to.equal('2027-03-05T00:00:00.000Z');
      expect(clockwork.job('noting')).to.include({ failures: 0, doneMs: at('2027-03-05T00:00:00Z') });
    });

    it('keeps no other from running, and goes on where it was in another process', async () => {
      const clockwork = new Clockwork(at('2027-03-04T23:59:55Z'));
      const failing = new NotingJob({ name: 'failing' });
      failing.act = async () => {
        throw new Error('no');
      };
      const noting = new NotingJob();
      await clockwork.start('a', [failing.in('a'), noting.in('a')]);
      await clockwork.start('b', [failing.in('b'), noting.in('b')]);
      await clockwork.pass(9_000);
      expect(noting.seen).to.have.lengthOf(1);
      const failures = clockwork.job('failing').failures;
      expect(failures).to.be.within(2, 4);
      clockwork.kill('a');
      await clockwork.pass(REPLACED_MS + MINUTE_MS);
      expect(failing.seen.filter(({ process }) => process === 'b').length).to.equal(6 - failures);
      expect(noting.seen).to.have.lengthOf(1);
    });

    it('survives one that throws at once', async () => {
      const clockwork = new Clockwork(at('2027-03-04T23:59:55Z'));
      const noting = new NotingJob();
      const job = {
        ...noting.in('a'),
        run: () => {
          throw new Error('at once');
        },
      };
      await clockwork.start('a', [job]);
      await clockwork.pass(10_000);
      expect(clockwork.job('noting').lastFailure?.reason).to.equal('at once');
    });
  });

  describe('when clocks are wrong', () => {
    it('goes by the log’s clock, not by the machine’s', async () => {
      const clockwork = new Clockwork(at('2027-03-04T23:58:00Z'));
      const noting = new NotingJob();
      await clockwork.start('a', [noting.in('a')]);
      clockwork.skew('a', 40 * DAY_MS);
      await clockwork.pass(MINUTE_MS);
      expect(noting.seen).to.deep.equal([]);
      clockwork.skew('a', -40 * DAY_MS);
      await clockwork.pass(MINUTE_MS + LATEST_MS);
      expect(noting.dates).to.deep.equal(['2027-03-05T00:00:00.000Z']);
    });

    it('runs no date twice when the clock is set back over midnight', async () => {
      const clockwork = new Clockwork(at('2027-03-04T23:59:50Z'));
      const noting = new NotingJob();
      await clockwork.start('a', [noting.in('a')]);
      await clockwork.pass(20_000);
      expect(noting.seen).to.have.lengthOf(1);
      clockwork.kill('a');
      clockwork.nowMs -= 10 * MINUTE_MS;
      await clockwork.start('b', [noting.in('b')]);
      await clockwork.pass(20 * MINUTE_MS);
      expect(noting.seen).to.have.lengthOf(1);
      await clockwork.passUntil(at('2027-03-05T23:59:59Z'));
      await clockwork.pass(10_000);
      expect(noting.dates).to.deep.equal(['2027-03-05T00:00:00.000Z', '2027-03-06T00:00:00.000Z']);
    });
  });

  describe('when an operator wants a job run now', () => {
    it('runs it within seconds, for its newest date, once', async () => {
      const clockwork = new Clockwork(at('2027-03-04T12:00:00Z'));
      const noting = new NotingJob({ missed: 'newest' });
      await clockwork.start('a', [noting.in('a')]);
      await clockwork.pass(MINUTE_MS);
      expect(noting.dates).to.deep.equal(['2027-03-04T00:00:00.000Z']);
      const request = () => clockwork.ask(jobLease, EXCHANGE_LEASE_ID, 'request', { job: 'noting' });
      request();
      request();
      await clockwork.pass(LATEST_MS);
      await clockwork.pass(MINUTE_MS);
      expect(noting.dates).to.deep.equal(['2027-03-04T00:00:00.000Z', '2027-03-04T00:00:00.000Z']);
      request();
      await clockwork.pass(LATEST_MS);
      expect(noting.seen).to.have.lengthOf(3);
    });

    it('runs it after the run that is under way, and in another process where this one dies', async () => {
      const clockwork = new Clockwork(at('2027-03-04T12:00:00Z'));
      const noting = new NotingJob({ missed: 'newest' });
      noting.act = (run) => (run < 3 ? new Promise(() => {}) : Promise.resolve('done'));
      await clockwork.start('a', [noting.in('a')]);
      await clockwork.start('b', [noting.in('b')]);
      clockwork.ask(jobLease, EXCHANGE_LEASE_ID, 'request', { job: 'noting' });
      await clockwork.pass(MINUTE_MS);
      expect(noting.seen).to.have.lengthOf(1);
      clockwork.kill('a');
      noting.act = async () => 'done';
      await clockwork.pass(MINUTE_MS);
      // What was begun, and what was asked for.
      expect(noting.seen.map(({ process }) => process)).to.deep.equal(['a', 'b', 'b']);
    });

    it('runs others meanwhile, once each, while the job of an earlier request is running', async () => {
      const clockwork = new Clockwork(at('2027-03-04T12:00:00Z'));
      const [slow, quick] = [new NotingJob({ name: 'slow', missed: 'none' }), new NotingJob({ missed: 'none' })];
      let end = (_outcome: string) => {};
      slow.act = () =>
        new Promise((resolve) => {
          end = resolve;
        });
      await clockwork.start('a', [slow.in('a'), quick.in('a')]);
      const request = (job: string) => clockwork.ask(jobLease, EXCHANGE_LEASE_ID, 'request', { job });
      request('slow');
      await clockwork.pass(LATEST_MS);
      expect(slow.seen).to.have.lengthOf(1);
      request('slow');
      request('noting');
      await clockwork.pass(MINUTE_MS);
      expect([slow.seen.length, quick.seen.length]).to.deep.equal([1, 1]);
      request('noting');
      await clockwork.pass(MINUTE_MS);
      expect([slow.seen.length, quick.seen.length], 'asked for once more').to.deep.equal([1, 2]);
      slow.act = async () => 'done';
      end('done');
      await clockwork.pass(MINUTE_MS);
      expect([slow.seen.length, quick.seen.length]).to.deep.equal([2, 2]);
      expect(clockwork.ask(jobLease, EXCHANGE_LEASE_ID, 'hold', HELD_BY_A)).to.deep.include({ requests: [] });
    });

    it('runs others although the actor of a job with an earlier request does not answer', async () => {
      const clockwork = new Clockwork(at('2027-03-04T12:00:00Z'));
      const [failing, noting] = [new NotingJob({ name: 'failing', missed: 'none' }), new NotingJob({ missed: 'none' })];
      await clockwork.start('a', [failing.in('a'), noting.in('a')]);
      clockwork.unanswered.add('job/failing');
      for (const job of ['failing', 'noting']) clockwork.ask(jobLease, EXCHANGE_LEASE_ID, 'request', { job });
      await clockwork.pass(MINUTE_MS);
      expect([failing.seen.length, noting.seen.length]).to.deep.equal([0, 1]);
      clockwork.unanswered.clear();
      await clockwork.pass(MINUTE_MS);
      expect([failing.seen.length, noting.seen.length]).to.deep.equal([1, 1]);
    });
  });

  it('keeps a background worker running in the leader only', async () => {
    const clockwork = new Clockwork(at('2027-03-04T12:00:00Z'));
    const going = new Set<string>();
    let most = 0;
    const dutyOf = (name: string): BackgroundWorker => ({
      name: 'duty',
      purpose: 'Goes on',
      start() {
        going.add(name);
        most = Math.max(most, going.size);
        return {
          async close() {
            going.delete(name);
          },
        };
      },
    });
    const a = await clockwork.start('a', [], [dutyOf('a')]);
    await clockwork.start('b', [], [dutyOf('b')]);
    await clockwork.pass(MINUTE_MS);
    expect([...going]).to.deep.equal(['a']);
    const closing = a.close();
    await clockwork.pass(RENEW_INTERVAL_MS);
    await closing;
    expect([...going]).to.deep.equal(['b']);
    clockwork.cutOff('b', true);
    await clockwork.pass(MINUTE_MS);
    expect([...going], 'nobody knows that it has the right').to.deep.equal([]);
    clockwork.cutOff('b', false);
    await clockwork.pass(MINUTE_MS);
    expect([...going]).to.deep.equal(['b']);
    expect(most).to.equal(1);
  });

  it('refuses to start with a cron expression that is none', async () => {
    const clockwork = new Clockwork(0);
    const noting = new NotingJob({ cron: 'at midnight' });
    let failure: unknown;
    await clockwork.start('a', [noting.in('a')]).catch((error) => {
      failure = error;
    });
    expect(failure).to.be.instanceOf(Error);
  });
});
