import { expect } from 'chai';
import { creative } from '#actors/creative/creative';
import type { CreativeState } from '#actors/creative/reduce';
import { forgetCreatives } from '#scheduler/jobs/forget-creatives';
import { type RunningActors, startActors } from '../../gateways/management/running-actors.ts';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';

const DAY_MS = 86_400_000;

for (const pair of PROVIDER_PAIRS) {
  describe(`scheduler/jobs: creatives of bidders, on ${pair}`, () => {
    let actors: RunningActors;
    before(async function () {
      actors = await startActors(this, pair);
    });
    after(() => actors?.close());

    const ids = async () => {
      const { documents } = await actors.store.query(creative.kind, { orderBy: 'lastSeenAt' });
      return documents.map(({ id }) => id);
    };
    const see = async (id: string, dspId: string) => {
      const { messenger } = actors.node;
      await messenger.tell(creative, id, 'seen', {
        ...{ dspId, accountId: 'a', partnerId: null, sandbox: false, campaignId: null, crid: id, fingerprint: id },
        ...{ declared: 'auto', markup: '<b>An ad</b>', formats: ['banner'], sizes: [], advertiserDomains: [] },
        ...{
          categories: [],
          categoryTaxonomy: 1,
          attributes: [],
          publisherIds: [],
          sightings: 1,
          wins: 1,
          refusals: 0,
        },
      });
      await eventually('it is there', async () => (await ids()).at(-1) === id);
    };
    const run = async (perDsp: number, keepDays: number, inMs = 0) => {
      const nowMs = Date.now() + inMs;
      const job = forgetCreatives({ messenger: actors.node.messenger, store: actors.store, perDsp, keepDays });
      return job.run({ dueMs: nowMs, nowMs, signal: new AbortController().signal });
    };

    it('are forgotten when they were unseen for longest, beyond a number of each source and an age', async () => {
      for (const id of ['one', 'two', 'three']) await see(id, 'many');
      await see('other', 'few');
      await see('one', 'many');
      expect(await run(3, 90)).to.equal('0 unseen for 90 days and 0 beyond 3 of a demand source forgotten');
      expect(await run(2, 90)).to.equal('0 unseen for 90 days and 1 beyond 2 of a demand source forgotten');
      expect(await ids()).to.deep.equal(['three', 'other', 'one']);
      expect(await run(2, 2, DAY_MS)).to.equal('0 unseen for 2 days and 0 beyond 2 of a demand source forgotten');
      expect(await run(2, 2, 3 * DAY_MS)).to.equal('3 unseen for 2 days and 0 beyond 2 of a demand source forgotten');
      expect(await ids()).to.deep.equal([]);
      // One that is sold again is a creative like any other.
      await see('one', 'many');
      expect(await ids()).to.deep.equal(['one']);
    });

    it('stay while a decision names them, beside the number of each source', async () => {
      const decide = async (decision: 'block' | 'none') => {
        const body = { scope: 'account', scopeId: 'a', decision, reason: '' } as const;
        await actors.node.messenger.tell(creative, 'blocked', 'decided', body);
        await eventually('it is decided', async () => {
          const [document] = await actors.store.load([{ kind: creative.kind, id: 'blocked' }]);
          return (document!.state as CreativeState).decisions.length === (decision === 'none' ? 0 : 1);
        });
      };
      for (const id of ['blocked', 'second', 'third']) await see(id, 'deciding');
      await decide('block');
      expect(await run(2, 90)).to.equal('0 unseen for 90 days and 0 beyond 2 of a demand source forgotten');
      expect(await run(1, 90)).to.equal('0 unseen for 90 days and 1 beyond 1 of a demand source forgotten');
      await run(1, 2, 3 * DAY_MS);
      expect(await ids()).to.deep.equal(['blocked']);
      await decide('none');
      expect(await run(1, 2, 3 * DAY_MS)).to.equal('1 unseen for 2 days and 0 beyond 1 of a demand source forgotten');
      expect(await ids()).to.deep.equal([]);
    });
  });
}
