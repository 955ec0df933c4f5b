import { expect } from 'chai';
import type { EdgeBudgets } from '#edge/budgets/edge-budgets';
import { answer, bids } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';

/** Budgets in impressions, by demand source; a source without one is not limited. */
class Purses implements EdgeBudgets {
  readonly left = new Map<string, number>();
  /** Who still looks as if it had something, until it is to pay. */
  readonly bluffs = new Set<string>();
  readonly unknown = new Set<string>();
  beingRead: Promise<void> | null = null;
  readonly soldAtMs: number[] = [];

  reserve(dspId: string, _campaign: unknown, _priceNanos: number, soldAtMs: number): boolean {
    const left = this.left.get(dspId) ?? Number.POSITIVE_INFINITY;
    if (left < 1) return false;
    this.left.set(dspId, left - 1);
    this.soldAtMs.push(soldAtMs);
    return true;
  }

  release(dspId: string): void {
    this.left.set(dspId, this.left.get(dspId)! + 1);
    this.soldAtMs.pop();
  }

  available(dspId: string): boolean | null {
    if (this.unknown.has(dspId)) return null;
    return this.bluffs.has(dspId) || (this.left.get(dspId) ?? 1) > 0;
  }

  pendingLeases(): Promise<void> | null {
    return this.beingRead;
  }
}

describe('an auction, by what budgets have left', () => {
  let edge: EdgeUnderTest;
  let purses: Purses;
  beforeEach(() => {
    purses = new Purses();
  });
  afterEach(() => edge.close());

  const started = async (settings = {}) => {
    edge = new EdgeUnderTest(settings);
    edge.budgets = purses;
    await edge.start();
  };
  const limited = { dailyBudgetCents: 1 };
  const two = { imp: ['1', '2'].map((id) => ({ id, banner: { w: 300, h: 250 } })) };
  const soldBy = async (response: Response): Promise<string[]> => {
    if (response.status === 204) return [];
    const { seatbid } = await jsonOf(response);
    return seatbid.flatMap(({ bid }: { bid: { burl: string }[] }) =>
      bid.map(({ burl }) => new URL(burl).searchParams.get('dsp')),
    );
  };

  it('goes to the next when the winner cannot pay any more, and notifies the winner of its loss', async () => {
    await started();
    const winner = await edge.bidder(
      (received, response) => {
        bids({ price: 5, lurl: `${winner.origin}/lost?why=\${AUCTION_LOSS}` })(received, response);
      },
      { id: 'dsp-1', ...limited },
    );
    await edge.bidder(bids({ price: 2 }), { id: 'dsp-2' });
    purses.left.set('dsp-1', 0);
    purses.bluffs.add('dsp-1');
    expect(await soldBy(await edge.post(bannerRequest()))).to.deep.equal(['dsp-2']);
    const [notice] = await winner.waitForRequests('/lost');
    expect(notice!.path).to.equal('/lost?why=104');
    expect(await edge.counted('dsp', 'dsp-1')).to.include({ 'losses/out-of-budget': 1 });
  });

  it('sells as many of several imps as there is money for, and takes each of them once', async () => {
    await started();
    await edge.bidder(bids({ price: 5 }), { id: 'dsp-1', ...limited });
    await edge.bidder(bids({ price: 2 }), { id: 'dsp-2', ...limited });
    purses.left.set('dsp-1', 1).set('dsp-2', 5);
    expect((await soldBy(await edge.post(bannerRequest(two)))).sort()).to.deep.equal(['dsp-1', 'dsp-2']);
    expect([...purses.left.values()]).to.deep.equal([0, 4]);
  });

  it('asks no more than five times in a row what one imp’s bids of a bidder cost, and sells the others', async () => {
    await started();
    let asked = 0;
    const reserve = purses.reserve.bind(purses);
    purses.reserve = (dspId, ...terms) => {
      if (dspId === 'dsp-1') asked += 1;
      return reserve(dspId, ...terms);
    };
    const bid = ['1', ...Array.from({ length: 400 }, () => '2')].map((impid, rank) => ({
      ...{ id: `${rank}`, impid, price: 9 - rank / 100, adm: '<p>', crid: `${rank}`, adomain: ['a.example'] },
    }));
    await edge.bidder((received, response) => answer(response, { id: received.body.id, seatbid: [{ bid }] }), {
      id: 'dsp-1',
      ...limited,
    });
    await edge.bidder(bids({ price: 2 }), { id: 'dsp-2' });
    purses.left.set('dsp-1', 1);
    expect((await soldBy(await edge.post(bannerRequest(two)))).sort()).to.deep.equal(['dsp-1', 'dsp-2']);
    expect(asked).to.equal(5 * 2 + 1);
    expect(await edge.counted('dsp', 'dsp-1')).to.include({ wins: 1, 'losses/out-of-budget': 400 });
  });

  it('does not call a bidder that has nothing left, nor has a delegate of which that is true bid', async () => {
    await started();
    const spent = await edge.bidder(bids({ price: 5 }), { id: 'dsp-1', ...limited });
    edge.delegate([{ id: 'campaign-1' }], { id: 'dsp-2', ...limited });
    purses.left.set('dsp-1', 0).set('dsp-2', 0);
    expect((await edge.post(bannerRequest())).status).to.equal(204);
    expect(spent.received).to.deep.equal([]);
    for (const dsp of ['dsp-1', 'dsp-2']) {
      const counted = await edge.counted('dsp', dsp);
      expect(counted, dsp).to.include({ 'notCalled/budget-exhausted': 1 });
    }
  });

  it('waits for what is being leased', async () => {
    await started();
    await edge.bidder(bids({ price: 5 }), { id: 'dsp-1', ...limited });
    purses.unknown.add('dsp-1');
    expect((await edge.post(bannerRequest())).status, 'nothing is being leased').to.equal(204);
    purses.beingRead = new Promise((resolve) => {
      setImmediate(() => {
        purses.unknown.clear();
        resolve();
      });
    });
    expect(await soldBy(await edge.post(bannerRequest()))).to.deep.equal(['dsp-1']);
  });

  it('releases the budget of sales that were not answered', async () => {
    await started({ maxAuctionMs: -1 });
    await edge.bidder(bids({ price: 5 }), { id: 'dsp-1', ...limited });
    purses.left.set('dsp-1', 3);
    expect((await edge.post(bannerRequest())).status).to.equal(503);
    expect(purses.left.get('dsp-1')).to.equal(3);
  });

  it('takes by the instant that the tracking URL names', async () => {
    await started();
    await edge.bidder(bids({ price: 5 }), { id: 'dsp-1', ...limited });
    purses.left.set('dsp-1', 3);
    const before = Date.now();
    expect((await edge.post(bannerRequest())).status).to.equal(200);
    expect(purses.soldAtMs).to.have.length(1);
    expect(purses.soldAtMs[0]).to.be.within(before, Date.now());
  });
});
