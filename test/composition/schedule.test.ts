import { createRequire } from 'node:module';
import { expect } from 'chai';
import { cronDates } from '../../scheduler/cron-dates.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, callJson, PROVIDER_PAIRS, startTestExchange, type TestExchange } from '../support/exchange.ts';
import { freePort } from '../support/free-port.ts';
import { ExchangeProcess } from './installation.ts';

/** The library by which Bree reckons its dates. */
const later = createRequire(import.meta.resolve('bree'))('@breejs/later') as {
  parse: { cron(expression: string): object };
  schedule(schedule: object): { next(count: 1, from: Date): Date };
  date: { UTC(): void; localTime(): void };
};

/** From a holder's death to when another has the right, with what processes that share a machine take longer. */
const REPLACED_MS = 40_000;

const SOME_JOBS = [
  'reset-budgets',
  'refresh-creatives',
  'collect-creatives',
  'forget-creatives',
  'purge-aged',
  'archive-ledgers',
  'sweep-sandbox',
  'report-dead-letters',
];

interface ShownJob {
  readonly name: string;
  readonly missed: 'each' | 'newest' | 'none';
  readonly last_run: { readonly started_at: string; readonly outcome: string } | null;
  readonly next_run_at: string | null;
  readonly running: object | null;
}

async function jobsOf(exchange: TestExchange, cookie: string): Promise<Answer> {
  return callJson('GET', `${exchange.baseUrl}/api/jobs`, undefined, { Cookie: cookie });
}

for (const pair of PROVIDER_PAIRS) {
  describe(`the schedule of an exchange on ${pair}`, () => {
    let exchange: TestExchange;
    let cookie: string;
    before(async function () {
      exchange = await startTestExchange(this, pair);
      cookie = await exchange.logIn();
    });
    after(() => exchange?.stop());

    const allRun = () =>
      eventually(
        'the first run of every job that makes up for its newest date',
        async () => {
          const { body } = await jobsOf(exchange, cookie);
          const jobs = body.jobs as ShownJob[];
          const waiting = jobs.filter((job) => job.missed === 'newest' && job.last_run === null);
          // A schedule that begins tells its jobs one after the other.
          const told = SOME_JOBS.every((name) => jobs.some((job) => job.name === name));
          return told && waiting.length === 0 ? body : null;
        },
        { timeoutMs: 60_000 },
      );

    it('is shown to operators: what ran, what came of it, what is next', async () => {
      const { jobs, duties, scheduler } = await allRun();
      const named = Object.fromEntries((jobs as ShownJob[]).map((job) => [job.name, job]));
      const today = new Date().toISOString().slice(0, 10);
      expect(named['reset-budgets']!.last_run!.outcome).to.match(/^\d{4}-\d{2}-\d{2}: 0 campaigns set going again$/);
      expect(named['reset-budgets']!.next_run_at! > today).to.equal(true);
      expect(named['reset-budgets']!.next_run_at).to.match(/T00:00:00\.000Z$/);
      expect(named['report-dead-letters']!.last_run!.outcome).to.equal('none');
      expect(scheduler.process).to.equal(exchange.exchange.node.incarnation);
      expect((duties as { name: string; since: string }[]).find(({ name }) => name === 'books')?.since).to.equal(
        scheduler.since,
      );
    });

    it('has the dates at which Bree rings, for each job, over five years', async () => {
      const { jobs } = await allRun();
      // For the time of these lines: Bree converts the zone itself.
      later.date.UTC();
      for (const { name, schedule } of jobs as { name: string; schedule: string }[]) {
        const rings = later.schedule(later.parse.cron(schedule));
        const dates = cronDates(schedule);
        for (let ms = Date.UTC(2026, 10, 22, 1, 2, 3); ms < Date.UTC(2031, 10, 22); ms += 17.3 * 86_400_000) {
          const next = dates.after(ms)!;
          // Bree's library answers in steps of a second, the instant itself included.
          expect(rings.next(1, new Date(ms)).getTime(), `${name} after ${new Date(ms).toISOString()}`).to.equal(next);
          expect(dates.latest(next), name).to.equal(next);
        }
      }
      later.date.localTime();
    });

    it('runs a job when an operator wants it, and knows no other', async () => {
      const body = await allRun();
      const before = (body.jobs as ShownJob[]).find(({ name }) => name === 'sweep-sandbox')!.last_run!;
      const run = (name: string) =>
        callJson('POST', `${exchange.baseUrl}/api/jobs/${name}/run`, undefined, { Cookie: cookie });
      const { status } = await run('sweep-sandbox');
      expect(status).to.equal(200);
      await eventually(
        'another run',
        async () => {
          const { body: now } = await jobsOf(exchange, cookie);
          const { last_run } = (now.jobs as ShownJob[]).find(({ name }) => name === 'sweep-sandbox')!;
          return last_run !== null && last_run.started_at > before.started_at;
        },
        { timeoutMs: 60_000 },
      );
      const absent = await run('fly');
      expect([absent.status, absent.body.error.code]).to.deep.equal([404, 'NOT_FOUND']);
    });
  });
}

describe('the schedule of an exchange whose roles are divided', () => {
  it('is kept by one scheduler at a time; one that is killed or stopped is replaced', async function () {
    const exchange = await startTestExchange(this, 'redis-mongodb', { ROLES: 'management,edge,actors' });
    const processes: ExchangeProcess[] = [];
    const started = async () => {
      const ports = { OPS_PORT: String(await freePort()) };
      const one = new ExchangeProcess({ ...exchange.environment, ...ports, ROLES: 'scheduler', LOG_LEVEL: 'warn' });
      processes.push(one);
      return one.serving();
    };
    try {
      const cookie = await exchange.logIn();
      expect((await jobsOf(exchange, cookie)).body).to.deep.equal({ jobs: [], duties: [], scheduler: null });
      const holder = () =>
        eventually('a scheduler', async () => (await jobsOf(exchange, cookie)).body.scheduler?.process as string, {
          timeoutMs: REPLACED_MS,
        });
      const heldBy = (pid: number) =>
        eventually(`the scheduler ${pid}`, async () => (await holder()).includes(`-${pid}.`), {
          timeoutMs: REPLACED_MS,
        });

      const first = await started();
      await heldBy(first.pid);
      const second = await started();
      await eventually(
        'the first runs',
        async () => {
          const { body } = await jobsOf(exchange, cookie);
          const reset = (body.jobs as ShownJob[]).find(({ name }) => name === 'reset-budgets');
          return reset?.last_run;
        },
        { timeoutMs: 60_000 },
      );
      await heldBy(first.pid);

      await first.kill();
      await heldBy(second.pid);

      const third = await started();
      const stoppedAtMs = performance.now();
      second.signal('SIGTERM');
      expect(await second.exited).to.equal(0);
      await heldBy(third.pid);
      expect(performance.now() - stoppedAtMs, 'ms: nobody waits for the right to run out').to.be.below(12_000);
    } finally {
      await Promise.all(processes.map((one) => one.kill()));
      await exchange.stop();
    }
  });
});
