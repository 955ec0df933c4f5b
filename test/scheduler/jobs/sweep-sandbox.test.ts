import { expect } from 'chai';
import { campaign } from '#actors/campaign/campaign';
import { dsp } from '#actors/dsp/dsp';
import { ledger } from '#actors/ledger/ledger';
import { publisher } from '#actors/publisher/publisher';
import { sweepSandbox } from '#scheduler/jobs/sweep-sandbox';
import { openStoreAlone } from './embedded-store.ts';
import { runJob } from './run-job.ts';

describe('scheduler/jobs/sweep-sandbox', () => {
  it('deletes the ledgers of sandboxes that were reset, a campaign’s with its demand source’s', async () => {
    const alone = await openStoreAlone();
    try {
      await alone.put(publisher.kind, 'p', { sandboxGeneration: 2 });
      await alone.put(dsp.kind, 'd', { sandboxGeneration: 1 });
      await alone.put(campaign.kind, 'c', { dspId: 'd' });
      const swept = [
        'publisher:p:2028-02-20:sandbox',
        'publisher:p:2028-02-20:sandbox.1',
        'campaign:c:2028-02-27:sandbox',
      ];
      const kept = [
        'publisher:p:2028-02-20:sandbox.2',
        'publisher:p:2028-02-20',
        'dsp:d:2028-02-20:sandbox.1',
        'campaign:c:2028-02-27:sandbox.1',
        'platform:exchange:2028-02-20:sandbox',
        'publisher:unknown:2028-02-20:sandbox',
        // Something may still be on its way.
        'publisher:p:2028-02-28:sandbox',
      ];
      for (const id of [...swept, ...kept]) await alone.put(ledger.kind, id, ledger.initial(id));
      const job = sweepSandbox({ store: alone.store });
      expect(await runJob(job, '2028-02-29T04:10:00Z')).to.equal('3 ledgers of sandboxes that were reset');
      expect(await alone.ids(ledger.kind)).to.deep.equal([...kept].sort());
    } finally {
      await alone.close();
    }
  });
});
