import { expect } from 'chai';
import type { AuctionEndpoint } from '#edge/auction/auction-endpoint';
import { Auctioneer } from '#edge/auction/auctioneer';
import type { AdRequest } from '#edge/auction-context';
import type { EdgeBudgets } from '#edge/budgets/edge-budgets';
import { TrackingMint } from '#edge/tracking/mint';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import type { EdgeDeps } from '#gateways/edge/deps';
import { TagEndpoint } from '#gateways/edge/tags/tag-endpoint';
import { bids } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, KNOWN_DEVICE } from '../../support/edge.ts';

/** The reservations that are held, by `<demand source> <campaign>`. */
class Reservations implements Pick<EdgeBudgets, 'reserve' | 'release'> {
  readonly held: string[] = [];
  made = 0;

  reserve(dspId: string, campaign: { readonly id: string } | null): boolean {
    this.held.push(`${dspId} ${campaign?.id ?? '-'}`);
    this.made += 1;
    return true;
  }

  release(dspId: string, campaign: { readonly id: string } | null): void {
    this.held.splice(this.held.indexOf(`${dspId} ${campaign?.id ?? '-'}`), 1);
  }
}

/** The promises whose rejection nothing has handled, while `during` runs and in the turns after it. */
async function unhandledRejections(during: () => Promise<void>): Promise<unknown[]> {
  const listeners = process.listeners('unhandledRejection');
  const unhandled: unknown[] = [];
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason) => unhandled.push(reason));
  try {
    await during();
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
  }
  return unhandled;
}

describe('an auction that fails', () => {
  let edge: EdgeUnderTest;
  beforeEach(async () => {
    edge = await new EdgeUnderTest().start();
  });
  afterEach(() => edge.close());

  const auctioneer = (changes: Partial<EdgeDeps> = {}) =>
    new Auctioneer(
      { ...edge.deps, ...changes },
      new TrackingMint({ secretKey: 'a secret of this test', publicEdgeUrl: 'https://edge.test' }),
    );
  const asked = (): AdRequest => ({
    request: bannerRequest({ device: KNOWN_DEVICE }) as unknown as BidRequest,
    key: null,
    sandboxAsked: false,
    browser: { cookies: undefined, globalPrivacyControl: false },
    address: '198.51.100.1',
    isTag: false,
    isPage: false,
    receivedMs: edge.deps.clock.monotonic(),
  });
  const failureOf = async (answer: Promise<unknown>): Promise<string> =>
    answer.then(
      () => 'none',
      (error: Error) => error.message,
    );
  const endpoint: AuctionEndpoint<AdRequest, number> = {
    repeats: null,
    screened: () => undefined,
    answer: (_asked, _context, { result }) => result.sold.length,
  };
  const broken: AuctionEndpoint<AdRequest, number> = {
    ...endpoint,
    answer: () => {
      throw new RangeError('the answer is too long');
    },
  };

  it('releases every reservation of sales whose answer cannot be written', async () => {
    const [budgets, shares] = [new Reservations(), new Reservations()];
    edge.budgets = {
      ...budgets,
      ...edge.budgets,
      reserve: budgets.reserve.bind(budgets),
      release: budgets.release.bind(budgets),
    };
    edge.shares = {
      reserve: (_publisherId: string, ...sale: Parameters<Reservations['reserve']>) => shares.reserve(...sale),
      release: (_publisherId: string, ...sale: Parameters<Reservations['release']>) => shares.release(...sale),
    } as never;
    edge.delegate([{ id: 'campaign-1', frequency_cap: { max_impressions: 1, window_hours: 24 } }], { id: 'dsp-1' });
    expect(await failureOf(auctioneer().answer(asked(), broken))).to.equal('the answer is too long');
    expect([budgets.made, shares.made]).to.deep.equal([1, 1]);
    expect([budgets.held, shares.held]).to.deep.equal([[], []]);
    expect(edge.pace.reserved).to.deep.equal([]);
    expect(await auctioneer().answer(asked(), endpoint), 'the viewer has room under the cap').to.equal(1);
    expect(edge.pace.reserved).to.have.length(1);
  });

  it('counts no win where the answer could not be written, and tells the DSP that it lost', async () => {
    const bidder = await edge.bidder(
      (received, response) => bids({ price: 5, lurl: `${bidder.origin}/lost` })(received, response),
      { id: 'dsp-1' },
    );
    expect(await failureOf(auctioneer().answer(asked(), broken))).to.equal('the answer is too long');
    await bidder.waitForRequests('/lost');
    expect(edge.sold).to.deep.equal([]);
    expect(await edge.counted('dsp', 'dsp-1')).to.include({ bids: 1, 'losses/auction-expired': 1 });
    expect(await edge.counted('dsp', 'dsp-1')).not.to.include.keys('wins');
  });

  it('leaves no rejection unhandled when delegates fail while bidders are asked, and bidders fail after them', async () => {
    await edge.bidder(bids({ price: 5 }), { id: 'dsp-1' });
    let fail = () => {};
    const bidders = {
      inPool: edge.deps.bidders.inPool.bind(edge.deps.bidders),
      get: edge.deps.bidders.get.bind(edge.deps.bidders),
      ask: () =>
        new Promise<never>((_, reject) => {
          fail = () => reject(new Error('bidders failed'));
        }),
    } as unknown as EdgeDeps['bidders'];
    const catalogue = {
      inPool: () => {
        throw new Error('delegates failed');
      },
    } as unknown as EdgeDeps['delegates']['catalogue'];
    const unhandled = await unhandledRejections(async () => {
      const failing = auctioneer({ bidders, delegates: { ...edge.deps.delegates, catalogue } });
      expect(await failureOf(failing.answer(asked(), endpoint))).to.equal('delegates failed');
      fail();
    });
    expect(unhandled).to.deep.equal([]);
  });

  it('leaves no rejection unhandled when bidders fail while the spend of delegates is read', async () => {
    await edge.bidder(bids({ price: 5 }), { id: 'dsp-1' });
    edge.delegate([{ id: 'campaign-1' }], { id: 'dsp-2' });
    const bidders = {
      inPool: edge.deps.bidders.inPool.bind(edge.deps.bidders),
      get: edge.deps.bidders.get.bind(edge.deps.bidders),
      ask: () => Promise.reject(new Error('bidders failed')),
    } as unknown as EdgeDeps['bidders'];
    let read = () => {};
    edge.pace.unknown.add('campaign-1');
    edge.pace.pendingRead = new Promise((resolve) => {
      read = resolve;
    });
    const unhandled = await unhandledRejections(async () => {
      const failure = failureOf(auctioneer({ bidders }).answer(asked(), endpoint));
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
      read();
      expect(await failure).to.equal('bidders failed');
    });
    expect(unhandled).to.deep.equal([]);
    expect([...edge.pace.biddingNanos.values()].every((nanos) => nanos === 0)).to.equal(true);
  });

  it('sends no win notice for a tag whose document cannot be written', () => {
    const sent: string[] = [];
    const notices = { send: (kind: string) => sent.push(kind) };
    const endpoint = new TagEndpoint({ ...edge.deps, notices } as unknown as EdgeDeps, auctioneer(), {
      identify: () => null,
    });
    const ctx = {
      set: () => {
        throw new RangeError('an invalid header');
      },
    };
    const sold = [{ winNoticeUrl: 'https://dsp.test/win', sale: { dspId: 'dsp-1' }, adm: '<b>ad</b>' }];
    const answer = () =>
      endpoint.answer(
        { ...asked(), ctx, format: 'banner', player: { versions: null, wrappers: true, pod: false } } as never,
        { sandbox: false } as never,
        { result: { sold, losses: [] } } as never,
      );
    expect(answer).to.throw(RangeError);
    expect(sent).to.deep.equal([]);
  });
});
