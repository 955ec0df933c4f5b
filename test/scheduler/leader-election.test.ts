import { expect } from 'chai';
import type { BackgroundWorker } from '../../scheduler/background-worker.ts';
import { RENEW_INTERVAL_MS } from '../../scheduler/leader-election.ts';
import { at, Clockwork, LATEST_MS, MINUTE_MS, NotingJob, REPLACED_MS } from './clockwork.ts';

describe('scheduler in several processes, in virtual time', () => {
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
});
