import { expect } from 'chai';
import { at, Clockwork, LATEST_MS, MINUTE_MS, NotingJob, REPLACED_MS } from './clockwork.ts';

const DAY_MS = 86_400_000;

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
