import { expect } from 'chai';
import { queryAll, statusConditions } from '#gateways/management/resources/campaigns/status-conditions';
import type { ActorDocument, Query, StateStore } from '#runtime/ports/store';

describe('campaigns by status', () => {
  const DAY = '2026-03-14';
  /** 1,800 that a page of the paused ones draws from, in three kinds that lie between each other in time. */
  const paused = Array.from({ length: 1_800 }, (_, number) => ({
    id: `c-${number % 7}-${number}`,
    condition: number % 3,
    state: { createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(number / 4) * 1_000).toISOString() },
  }));
  const conditions = statusConditions('paused', DAY);
  const sorted = (some: typeof paused) =>
    [...some].sort((a, b) => (`${a.state.createdAt} ${a.id}` < `${b.state.createdAt} ${b.id}` ? -1 : 1));
  let most: number;
  let reads: number;
  const store: Pick<StateStore, 'query'> = {
    async query(_: string, { where, skip = 0, limit = 0 }: Query) {
      most = Math.max(most, limit);
      reads += 1;
      const index = conditions.findIndex((one) => JSON.stringify({ dspId: 'd', ...one }) === JSON.stringify(where));
      const found = sorted(paused.filter(({ condition }) => condition === index));
      return { documents: found.slice(skip, skip + limit) as unknown as ActorDocument[], total: found.length };
    },
  };
  const page = async (skip: number, limit: number) => {
    const { documents, total } = await queryAll(store, { dspId: 'd' }, conditions, skip, limit);
    expect(total).to.equal(paused.length);
    return documents.map(({ id }) => id);
  };
  const all = sorted(paused).map(({ id }) => id);

  beforeEach(() => {
    most = 0;
    reads = 0;
  });

  for (const skip of [0, 37, 499, 1_450, 1_790, 1_800, 5_000]) {
    it(`come oldest first, whatever pauses them, from the ${skip}th on`, async () => {
      expect(await page(skip, 50)).to.deep.equal(all.slice(skip, skip + 50));
      expect(most, 'read together').to.be.at.most(500);
    });
  }

  it('cost one read of each condition where the page lies near the beginning', async () => {
    await page(100, 50);
    expect(reads).to.equal(conditions.length);
  });

  it('ask for no more than there may be', async () => {
    expect(await page(199_999_800, 200)).to.deep.equal([]);
    expect(most).to.be.at.most(500);
  });
});
