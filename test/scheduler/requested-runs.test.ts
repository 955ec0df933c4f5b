import { expect } from 'chai';
import { EXCHANGE_LEASE_ID, jobLease } from '../../actors/job-lease/job-lease.ts';
import { LEASE_MS } from '../../scheduler/leader-election.ts';
import { at, Clockwork, LATEST_MS, MINUTE_MS, NotingJob } from './clockwork.ts';

const HELD_BY_A = { process: 'a', forMs: LEASE_MS, jobs: [], duties: [], takenUpTo: 0 };

describe('scheduler, in virtual time, when an operator wants a job run now', () => {
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
