import { expect } from 'chai';
import type { Job } from '../../scheduler/job.ts';
import { at, Clockwork, LATEST_MS, MINUTE_MS, NotingJob, REPLACED_MS } from './clockwork.ts';

/** The series of a metric of one process, by job, in ms. */
async function datesOf(clockwork: Clockwork, process: string, metric: string): Promise<Record<string, number>> {
  const { values } = await clockwork.registries.get(process)!.getSingleMetric(metric)!.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.job_name), value * 1000]));
}

describe('what a scheduler tells of its jobs, in virtual time', () => {
  it('tells Prometheus when each job succeeded and is due, in the process that is the leader alone', async () => {
    const clockwork = new Clockwork(at('2027-03-04T23:58:00Z'));
    const [DUE, SUCCEEDED] = ['scheduler_job_due_timestamp_seconds', 'scheduler_job_last_success_timestamp_seconds'];
    const noting = new NotingJob();
    await clockwork.start('a', [noting.in('a')]);
    await clockwork.pass(LATEST_MS);
    expect(await datesOf(clockwork, 'a', DUE)).to.deep.equal({ noting: at('2027-03-05T00:00:00Z') });
    expect(await datesOf(clockwork, 'a', SUCCEEDED)).to.deep.equal({});
    await clockwork.passUntil(at('2027-03-05T00:05:00Z'));
    expect(await datesOf(clockwork, 'a', DUE)).to.deep.equal({ noting: at('2027-03-06T00:00:00Z') });
    const { last } = clockwork.job('noting');
    expect(await datesOf(clockwork, 'a', SUCCEEDED)).to.deep.equal({ noting: last!.endedAtMs });
    await clockwork.start('b', [noting.in('b')]);
    expect(await datesOf(clockwork, 'b', DUE)).to.deep.equal({});
    clockwork.cutOff('a', true);
    await clockwork.pass(REPLACED_MS);
    expect(await datesOf(clockwork, 'a', DUE), 'of who is no leader any more').to.deep.equal({});
    expect(await datesOf(clockwork, 'b', DUE)).to.deep.equal({ noting: at('2027-03-06T00:00:00Z') });
    expect(await datesOf(clockwork, 'b', SUCCEEDED)).to.deep.equal({ noting: last!.endedAtMs });
  });

  for (const missed of ['each', 'newest', 'none'] as const) {
    it(`tells Prometheus the oldest date that has had no run, while a job fails for hours: ${missed}`, async () => {
      const clockwork = new Clockwork(at('2027-03-04T11:59:00Z'));
      const DUE = 'scheduler_job_due_timestamp_seconds';
      const noting = new NotingJob({ cron: '0 * * * *', missed });
      await clockwork.start('a', [noting.in('a')]);
      await clockwork.passUntil(at('2027-03-04T12:05:00Z'));
      expect(await datesOf(clockwork, 'a', DUE)).to.deep.equal({ noting: at('2027-03-04T13:00:00Z') });
      noting.act = async () => {
        throw new Error('no');
      };
      await clockwork.passUntil(at('2027-03-04T16:05:00Z'));
      expect(await datesOf(clockwork, 'a', DUE)).to.deep.equal({ noting: at('2027-03-04T13:00:00Z') });
      clockwork.kill('a');
      await clockwork.start('b', [noting.in('b')]);
      await clockwork.pass(REPLACED_MS);
      expect(await datesOf(clockwork, 'b', DUE), 'of its successor').to.deep.equal({
        noting: at('2027-03-04T13:00:00Z'),
      });
      noting.act = async () => 'done';
      await clockwork.passUntil(at('2027-03-04T17:05:00Z'));
      expect(await datesOf(clockwork, 'b', DUE)).to.deep.equal({ noting: at('2027-03-04T18:00:00Z') });
    });
  }

  it('tells a new leader what the last run had found, whichever process ran it', async () => {
    const clockwork = new Clockwork(at('2027-03-04T23:58:00Z'));
    const recalled: [string, Readonly<Record<string, number>>][] = [];
    const counting = (process: string): Job => ({
      ...{ name: 'counting', purpose: 'Counts.', cron: '0 0 * * *', missed: 'newest' },
      recall: (figures) => void recalled.push([process, figures]),
      async run({ found }) {
        found?.({ differences: 2, held: 0 });
        return 'counted';
      },
    });
    const first = await clockwork.start('a', [counting('a')]);
    await clockwork.passUntil(at('2027-03-05T00:05:00Z'));
    expect(clockwork.job('counting').last).to.deep.include({
      outcome: 'counted',
      figures: { differences: 2, held: 0 },
    });
    expect(recalled, 'nothing was found before').to.deep.equal([]);
    await clockwork.start('b', [counting('b')]);
    await first.close();
    await clockwork.pass(REPLACED_MS);
    await clockwork.pass(10 * MINUTE_MS);
    expect(recalled).to.deep.equal([['b', { differences: 2, held: 0 }]]);
  });
});
