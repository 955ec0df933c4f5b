import { expect } from 'chai';
import { Registry } from 'prom-client';
import { ledger } from '#actors/ledger/ledger';
import { publisher } from '#actors/publisher/publisher';
import { statement } from '#actors/statement/statement';
import { LEDGER_WATERMARK_ID, watermark } from '#actors/watermark/watermark';
import type { Messenger } from '#runtime/actor/messenger';
import { SILENT } from '#runtime/node/logger';
import type { Job } from '#scheduler/job';
import { JobFigures } from '#scheduler/job-figures';
import { finaliseBilling } from '#scheduler/jobs/finalise-billing';
import { type EmbeddedStoreAlone, openStoreAlone } from './embedded-store.ts';
import { runJob } from './run-job.ts';

const DUE = '2028-03-02T00:05:00Z';

describe('scheduler/jobs/finalise-billing', () => {
  let alone: EmbeddedStoreAlone;
  let asked: string[];
  let registry: Registry;
  beforeEach(async () => {
    registry = new Registry();
    alone = await openStoreAlone();
    asked = [];
    await alone.put(watermark.kind, LEDGER_WATERMARK_ID, { throughMs: Date.parse(DUE) });
    await alone.put(publisher.kind, 'p', { feePpm: 150_000 });
  });
  afterEach(() => alone.close());

  let job: Job;
  let found: Readonly<Record<string, number>> = {};
  const run = () => {
    registry.clear();
    const ask = async (kind: { readonly kind: string }, id: string, type: string) => {
      asked.push(`${type} ${kind.kind}/${id}`);
      await alone.put(statement.kind, id, { frozen: { month: id.slice(-7) } });
      return {};
    };
    const messenger = { ask } as unknown as Messenger;
    job = finaliseBilling({ store: alone.store, messenger, logger: SILENT, figures: new JobFigures(registry) });
    const noting: Job = {
      ...job,
      run: (of) =>
        job.run({
          ...of,
          found: (counted) => {
            found = counted;
          },
        }),
    };
    return runJob(noting, DUE);
  };
  const trade = (day: string) => {
    const id = `publisher:p:${day}`;
    return alone.put(ledger.kind, id, ledger.initial(id));
  };
  const park = (id: string, atMs: number) =>
    alone.store.park([
      {
        ...{ id, partition: 1, position: `${atMs}-0`, to: 'ledger/publisher:p:2028-01-10', type: 'totals' },
        ...{ payload: '[]', reason: 'test', parkedAtMs: atMs, replayedAtMs: null },
      },
    ]);

  it('freezes what is open of the last month, and of two more: a month that was held open for long', async () => {
    for (const day of ['2027-11-30', '2027-12-01', '2028-02-29']) await trade(day);
    expect(await run()).to.equal('2028-02: 1 statements frozen, 0 before; 2027-12: 1 statements frozen, 0 before');
    expect(asked).to.deep.equal(['freeze statement/publisher:p:2028-02', 'freeze statement/publisher:p:2027-12']);
    const metrics = await registry.metrics();
    expect(metrics).to.contain('billing_statements_frozen_total 2\n');
    expect(metrics).to.contain('billing_statements_held_open{month="2028-02"} 0\n');
    expect(await run(), 'again').to.equal('2028-02: 0 statements frozen, 1 before');
  });

  it('says what holds an earlier month open, until it is replayed', async () => {
    await trade('2028-01-10');
    const parkedAtMs = Date.UTC(2028, 0, 10, 12);
    await park('letter', parkedAtMs);
    expect(await run()).to.equal(
      '2028-02: 0 statements frozen, 0 before; 2028-01: 0 statements frozen, 0 before, 1 held open: totals of ledger/publisher:p:2028-01-10 are parked as dead letter letter, to be replayed or discarded',
    );
    const held = 'billing_statements_held_open{month="2028-01"} 1\n';
    expect(await registry.metrics()).to.contain(held);
    registry.resetMetrics();
    expect(await registry.metrics()).to.not.contain(held);
    job.recall!(found);
    expect(await registry.metrics(), 'of the next leader').to.contain(held);
    await alone.store.markReplayed('letter', Date.parse(DUE) - 120_000);
    expect(await run()).to.equal('2028-02: 0 statements frozen, 0 before; 2028-01: 1 statements frozen, 0 before');
  });
});
