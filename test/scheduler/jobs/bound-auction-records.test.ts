import { expect } from 'chai';
import { auctionRecord } from '#actors/auction-record/auction-record';
import { AGED_KINDS } from '#scheduler/aged-kinds';
import { boundAuctionRecords } from '#scheduler/jobs/bound-auction-records';
import { purgeAged } from '#scheduler/jobs/purge-aged';
import { type RunningActors, startActors } from '../../gateways/management/running-actors.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { tellAuctionRecord } from '../../support/recorded-auction.ts';

const NOON_MS = Date.UTC(2026, 2, 14, 12);
const HOUR_MS = 3_600_000;

for (const pair of PROVIDER_PAIRS) {
  describe(`scheduler/jobs: records of auctions, on ${pair}`, () => {
    let actors: RunningActors;
    before(async function () {
      actors = await startActors(this, pair);
    });
    after(() => actors?.close());

    const run = { dueMs: NOON_MS, nowMs: NOON_MS, signal: new AbortController().signal };
    const left = async () => {
      const { documents } = await actors.store.query(auctionRecord.kind, { orderBy: 'key' });
      return documents.map(({ id }) => id);
    };

    it('are kept for three days, and so many of them', async () => {
      const { store } = actors;
      const parts = { messenger: actors.node.messenger, store };
      const ids: string[] = [];
      for (const hoursAgo of [73, 72.1, 71.9, 50, 3, 2, 1]) {
        ids.push(await tellAuctionRecord(parts, { atMs: NOON_MS - hoursAgo * HOUR_MS }));
      }
      expect(await left()).to.deep.equal(ids);
      const kinds = AGED_KINDS.filter(({ of }) => of === auctionRecord);
      expect(await purgeAged({ store, kinds }).run(run)).to.equal('2 of auction-record');
      expect(await left()).to.deep.equal(ids.slice(2));
      expect(await boundAuctionRecords({ store, most: 5 }).run(run)).to.equal('not more than are kept');
      expect(await boundAuctionRecords({ store, most: 3 }).run(run)).to.equal('2 beyond 3');
      expect(await left()).to.deep.equal(ids.slice(4));
    });
  });
}
