import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { campaign } from '#actors/campaign/campaign';
import { type CampaignState, noCampaign } from '#actors/campaign/reduce';
import { resetBudgets } from '#scheduler/jobs/reset-budgets';
import { type RunningActors, startActors } from '../../gateways/management/running-actors.ts';
import { document } from '../../runtime/store-contract/documents.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { runJob } from './run-job.ts';

for (const pair of PROVIDER_PAIRS) {
  describe(`scheduler/jobs/reset-budgets on ${pair}`, () => {
    let actors: RunningActors;
    before(async function () {
      actors = await startActors(this, pair);
    });
    after(() => actors?.close());

    const saved = async (
      exhaustedDay: string,
      count: number,
      change: Partial<CampaignState> = {},
    ): Promise<string[]> => {
      const ids = Array.from({ length: count }, () => randomUUID());
      const state = { ...noCampaign, accountId: 'a', dspId: 'd', status: 'active', exhaustedDay, ...change };
      await actors.store.save(
        ids.map((id) =>
          document(campaign.kind, id, { schema: campaign.schemaVersion, state, partition: 0, position: '1-0' }),
        ),
      );
      return ids;
    };
    const states = async (ids: readonly string[]) => {
      const documents = await actors.store.load(ids.map((id) => ({ kind: campaign.kind, id })));
      return documents.map((found) => found!.state as CampaignState);
    };

    it('tells campaigns that another day has begun, all of them, and those of today nothing', async () => {
      const { messenger } = actors.node;
      const job = resetBudgets({ messenger, store: actors.store });
      const yesterday = await saved('2028-02-28', 70);
      const longAgo = await saved('2027-12-31', 1, { pausedByHand: true });
      const today = await saved('2028-02-29', 1);
      const never = await saved('', 1);
      expect(await runJob(job, '2028-02-29T00:00:00Z')).to.equal('2028-02-29: 71 campaigns set going again');
      for (const { exhaustedDay } of await states([...yesterday, ...longAgo, ...never]))
        expect(exhaustedDay).to.equal('');
      expect((await states(longAgo))[0]!.pausedByHand, 'by hand it stays paused').to.equal(true);
      expect((await states(today))[0]!.exhaustedDay).to.equal('2028-02-29');
      expect(await runJob(job, '2028-02-29T00:00:00Z'), 'again').to.equal('2028-02-29: 0 campaigns set going again');
      expect(await runJob(job, '2028-03-01T00:00:00Z')).to.equal('2028-03-01: 1 campaigns set going again');
    });
  });
}
