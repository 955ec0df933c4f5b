import { expect } from 'chai';
import { Registry } from 'prom-client';
import { JobFigures } from '#scheduler/job-figures';
import { reportDeadLetters } from '#scheduler/jobs/report-dead-letters';
import { letter } from '../../runtime/store-contract/documents.ts';
import { openStoreAlone } from './embedded-store.ts';
import { runJob } from './run-job.ts';

describe('scheduler/jobs/report-dead-letters', () => {
  it('counts what waits by kind and reason, since when, and warns of it', async () => {
    const alone = await openStoreAlone();
    try {
      const registry = new Registry();
      const warned: object[] = [];
      const nothing = () => {};
      const logger = { debug: nothing, info: nothing, error: nothing, warn: (fields: object) => warned.push(fields) };
      const job = reportDeadLetters({ store: alone.store, logger, figures: new JobFigures(registry) });
      expect(await runJob(job, '2028-02-29T00:10:00Z')).to.equal('none');
      expect(warned).to.deep.equal([]);

      const parkedAtMs = Date.parse('2028-02-28T12:00:00Z');
      const many = Array.from({ length: 1_100 }, (_, index) =>
        letter(`1:1795250000000-${index}`, { reason: 'Error: too large\n  at a line', parkedAtMs: parkedAtMs + index }),
      );
      const other = letter('2:1795250000000-1', {
        to: 'ledger/x',
        type: 'totals',
        reason: 'no',
        parkedAtMs: parkedAtMs + 1,
      });
      const replayed = letter('3:1795250000000-1', { parkedAtMs: 1, replayedAtMs: 2 });
      await alone.store.park([...many, other, replayed]);
      expect(await runJob(job, '2028-02-29T01:10:00Z')).to.equal(
        '1101 since 2028-02-28T12:00:00.000Z: publisher 1100, ledger 1; mostly publisher rename: Error: too large × 1100',
      );
      expect(warned).to.deep.equal([
        {
          count: 1_101,
          oldest: '2028-02-28T12:00:00.000Z',
          reasons: { 'publisher rename: Error: too large': 1_100, 'ledger totals: no': 1 },
        },
      ]);
      const metrics = await registry.metrics();
      expect(metrics).to.include('dead_letters_waiting{kind="publisher"} 1100');
      expect(metrics).to.include('dead_letters_waiting{kind="ledger"} 1');
    } finally {
      await alone.close();
    }
  });
});
